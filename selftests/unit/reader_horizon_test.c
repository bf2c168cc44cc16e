// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - read large files without FINISHED_ROUND
 *
 * The reader must return all samples in the order of their times. How many of them wait at a time
 * depends on the order in the file only.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/load.h"
#include "perfdata/reader.h"
#include "perfdata_test.h"
#include "unit.h"

#define NR		800000U
#define FIRST		1000000ULL
#define SAMPLE_SIZE	(7 * sizeof(u64))

/* A file without order keeps all its samples; one in order keeps these, at most. */
#define ALL_CHUNKS	(NR * SAMPLE_SIZE / CHUNK_SIZE)
#define FEW_CHUNKS	80

static char path[64];

/**
 * struct result - what the reader returned
 * @nr:		number of samples
 * @sum:	sum of their addresses
 * @chunks:	maximum number of chunks in memory
 * @ret:	last result of reader_next()
 * @is_sorted:	the samples came in the order of their times, and those with equal times in the
 *		order of the file
 * @is_known:	the horizon was known
 */
static struct result {
	u64	nr;
	u64	sum;
	size_t	chunks;
	int	ret;
	bool	is_sorted;
	bool	is_known;
} result;

/* Write samples with the times that @time_of returns. The address of a sample is its number. */
static void write_samples(u64 (*time_of)(u32 nr), u32 round_at)
{
	static struct feature_set none;
	struct feature_set features = { 0 };
	struct bytes records = { 0 };
	struct writer writer;
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	size_t written;

	features_add_events(&features, test_events, 1);
	if (fd < 0 || writer_begin(&writer, fd, false, test_events, 1, &none))
		abort();
	for (u32 i = 0; i < NR; i++) {
		make_sample(&records, 0, time_of(i), i, 0);
		if (i == round_at)
			record_finished_round(&records);
		if (records.len < 1 << 20 && i < NR - 1)
			continue;
		if (writer_append(&writer, records.data, records.len, &written))
			abort();
		records.len = 0;
	}
	if (writer_end(&writer, &features))
		abort();
	features_free(&features);
	bytes_free(&records);
	close(fd);
}

static void read_samples(void)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct reader reader;
	struct record record;
	u64 time = 0, ip, last = 0;

	result = (struct result){ .is_sorted = true };
	if (fd < 0 || reader_open(&reader, fd))
		abort();
	while ((result.ret = reader_next(&reader, &record)) > 0) {
		if (record.header.type != PERF_RECORD_SAMPLE)
			continue;
		ip = load_u64(record.data + sizeof(record.header) + sizeof(u64));
		result.is_sorted &= record.time > time || (record.time == time && ip >= last);
		time = record.time;
		last = ip;
		result.nr++;
		result.sum += ip;
		if (reader.pool.nr > result.chunks)
			result.chunks = reader.pool.nr;
		result.is_known |= !!reader.horizon.times;
	}
	reader_close(&reader);
	close(fd);
}

static bool has_all(void)
{
	return !result.ret && result.is_sorted && result.nr == NR &&
	       result.sum == (u64)NR * (NR - 1) / 2;
}

static u64 in_order(u32 nr)
{
	return FIRST + nr / 3;
}

/* Rings of two CPUs, of which the second one is written after the first one. */
static u64 two_runs(u32 nr)
{
	return FIRST + (nr < NR / 2 ? 2 * nr : 2 * (nr - NR / 2) + 1);
}

/* Each 1000 samples are older than the 1000 before them. */
static u64 nearly_in_order(u32 nr)
{
	return FIRST + (nr / 1000 ^ 1) * 1000 + nr % 1000;
}

static u64 one_is_late(u32 nr)
{
	return nr == NR - 1 ? 1 : in_order(nr);
}

static void test_orders(void)
{
	write_samples(in_order, NR);
	read_samples();
	unit_ok(has_all() && result.is_known && result.chunks < FEW_CHUNKS,
		"a file in order of time needs little memory");
	write_samples(nearly_in_order, NR);
	read_samples();
	unit_ok(has_all() && result.is_known && result.chunks < FEW_CHUNKS,
		"a file nearly in order of time is sorted in little memory");
	write_samples(two_runs, NR);
	read_samples();
	unit_ok(has_all() && result.is_known && result.chunks > ALL_CHUNKS / 2,
		"a sample waits while older ones may come");
	write_samples(one_is_late, NR);
	read_samples();
	unit_ok(has_all() && result.chunks >= ALL_CHUNKS,
		"all samples wait for a late one at the end of the file");
}

static void test_rounds(void)
{
	write_samples(in_order, NR / 4);
	read_samples();
	unit_ok(has_all() && !result.is_known, "a file with rounds is not looked at twice");
	write_samples(two_runs, NR / 2);
	read_samples();
	unit_ok(has_all() && !result.is_known, "a file with a late round is sorted by its rounds");
}

/* Cut the last samples off, in the middle of one. */
static void test_cut(void)
{
	u64 all;

	write_samples(in_order, NR);
	read_samples();
	all = result.nr;
	if (truncate(path, NR * (SAMPLE_SIZE - 6)))
		abort();
	read_samples();
	unit_ok(result.ret == -ENODATA && result.is_sorted && result.is_known &&
		result.nr > all / 2 && result.nr < all,
		"a truncated file has the samples before its end");
}

int main(void)
{
	snprintf(path, sizeof(path), "/tmp/reader_horizon-%d", getpid());
	make_events();
	test_orders();
	test_rounds();
	test_cut();
	unlink(path);
	return unit_exit();
}
