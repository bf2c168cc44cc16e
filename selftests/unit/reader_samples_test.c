// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - samples that the reader returns many at a time
 *
 * Read a recording with reader_next() alone. Read it again with reader_samples(), and
 * call reader_next() only when reader_samples() returns no samples. Both times, the same
 * records must be returned in the same order.
 */
#include <sys/mman.h>
#include <unistd.h>

#include "perfdata/reader.h"
#include "perfdata_test.h"
#include "unit.h"

#define MAX_BATCH	64

/* Append to @seen the time, offset, event and checksum of a record. */
static void note(struct bytes *seen, const u8 *data, u64 time, u64 offset, u64 event)
{
	u64 words[] = { time, offset, event, 0 };
	struct perf_event_header header;

	memcpy(&header, data, sizeof(header));
	for (size_t i = 0; i < header.size; i++)
		words[3] = words[3] * 31 + data[i];
	bytes_add(seen, words, sizeof(words));
}

/* The caller may need much memory to show what it read. */
static bool has_no_chunks(struct reader *reader)
{
	struct record record;
	int first = reader_next(reader, &record), second = reader_next(reader, &record);

	return first == second && !reader->pool.nr && !reader->queue.room;
}

static bool is_freed = true;

static int read_all(int fd, size_t batch, struct bytes *seen, u64 *lent)
{
	struct lent_sample samples[MAX_BATCH];
	struct reader reader;
	struct record record;
	size_t nr, i;
	int ret;

	*lent = 0;
	lseek(fd, 0, SEEK_SET);
	if (reader_open(&reader, fd))
		abort();
	for (;;) {
		nr = batch ? reader_samples(&reader, samples, batch) : 0;
		*lent += nr;
		for (i = 0; i < nr; i++)
			note(seen, samples[i].data, samples[i].time,
			     reader_sample_offset(&reader, i), samples[i].event);
		if (nr)
			continue;
		ret = reader_next(&reader, &record);
		if (ret <= 0)
			break;
		note(seen, record.data, record.time, record.offset,
		     record.event ? record.event - reader.events : ~0ULL);
	}
	is_freed &= has_no_chunks(&reader);
	reader_close(&reader);
	return ret;
}

static void test_same(int fd, int expected, const char *name)
{
	static const size_t batches[] = { 1, 7, MAX_BATCH };
	struct bytes alone = { 0 }, seen = { 0 };
	u64 lent, least = ~0ULL;
	bool same = read_all(fd, 0, &alone, &lent) == expected && alone.len;

	for (size_t i = 0; i < ARRAY_SIZE(batches); i++) {
		seen.len = 0;
		same &= read_all(fd, batches[i], &seen, &lent) == expected;
		same &= seen.len == alone.len && !memcmp(seen.data, alone.data, seen.len);
		least = lent < least ? lent : least;
	}
	/*
	 * At least a quarter of the samples must come from reader_samples(). Half of all
	 * samples have complete chains, but the cut file has fewer samples.
	 */
	same &= least > NR_SAMPLES / 4;
	unit_ok(same, name);
	bytes_free(&alone);
	bytes_free(&seen);
}

int main(void)
{
	int fd = memfd_create("recording", MFD_CLOEXEC);
	off_t size;

	if (write_recording(fd, false))
		abort();
	test_same(fd, 0, "samples of two events are the same in batches");
	size = lseek(fd, 0, SEEK_END);
	/* Cut the file in its second half, where the samples are. */
	if (ftruncate(fd, size * 3 / 4))
		abort();
	test_same(fd, -ENODATA, "samples before a damaged end are the same in batches");
	unit_ok(is_freed, "the memory of records is freed at the end of the file");
	close(fd);
	return unit_exit();
}
