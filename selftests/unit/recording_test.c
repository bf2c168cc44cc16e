// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - copying records from the device to the file
 *
 * A pipe replaces the device. A test reads each block before it writes the next one,
 * so that a read returns whole records, as it does from the device. All records that
 * were counted as written must be in the file.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "perfdata/reader.h"
#include "perfdata_test.h"
#include "record/recording.h"
#include "unit.h"

static struct recording rec;
static int device;

static void begin(const char *path)
{
	struct feature_set none = { 0 };
	int fds[2], fd = open(path, O_RDWR | O_TMPFILE, 0600);

	rec = (struct recording){ .events.nr = NR_EVENTS };
	rec.tally.first = ~0ULL;
	make_events();
	memcpy(rec.events.all, test_events, sizeof(test_events));
	if (fd < 0 || pipe2(fds, O_NONBLOCK) ||
	    writer_begin(&rec.writer, fd, false, rec.events.all, NR_EVENTS, &none))
		abort();
	rec.device = fds[0];
	if (device_queue_begin(&rec.queue, rec.device))
		abort();
	device = fds[1];
}

static void end(void)
{
	struct feature_set none = { 0 };

	writer_end(&rec.writer, &none);
	close(rec.writer.fd);
	close(rec.device);
	dso_set_free(&rec.dsos);
	dso_set_free(&rec.seen);
	device_queue_end(&rec.queue);
}

static void send_records(struct bytes *records)
{
	if (write(device, records->data, records->len) != records->len)
		abort();
	bytes_free(records);
}

static u64 samples_in_file(void)
{
	struct reader reader;
	struct record record;
	u64 nr = 0;

	writer_checkpoint(&rec.writer);
	lseek(rec.writer.fd, 0, SEEK_SET);
	if (reader_open(&reader, rec.writer.fd))
		return ~0ULL;
	while (reader_next(&reader, &record) > 0)
		nr += record.header.type == PERF_RECORD_SAMPLE;
	reader_close(&reader);
	return nr;
}

static void test_flow(void)
{
	struct mapping map = { .name = "/bin/late", .build_id = { 20, { 1 } } };
	struct record_trailer trailer = { .id = 41 };
	struct perfdata_build_id *entry;
	struct bytes records = { 0 };

	begin("/tmp");
	unit_ok(recording_pump(&rec) == -EAGAIN,
		"an empty device returns -EAGAIN");
	make_sample(&records, 0, 700, 0x1000, 0);
	make_sample(&records, 1, 500, 0x1000, 1);
	record_mmap2(&records, &trailer, &map);
	make_sample(&records, 0, 600, 0x1000, 0);
	send_records(&records);
	unit_ok(recording_pump(&rec) == -EAGAIN && rec.tally.samples == 3,
		"samples are counted");
	unit_ok(rec.tally.first == 500 && rec.tally.last == 700,
		"the first and last times are kept, whatever the order");
	dso_set_write(&rec.dsos, &records);
	entry = (struct perfdata_build_id *)records.data;
	unit_ok(records.len > 0 && !strcmp(entry->filename, "/bin/late"),
		"mappings are remembered with their build-ids");
	bytes_free(&records);
	unit_ok(samples_in_file() == 3, "all samples are in the file");
	close(device);
	unit_ok(recording_pump(&rec) == 0, "the end of the stream is returned");
	end();
}

static int settle(void)
{
	return 0;
}

/* Write more samples than fit into @room bytes. If @level is not 0, compress the records. */
static void test_full(int level, rlim_t room)
{
	struct rlimit old, small;
	struct bytes records = { 0 };
	u64 in_file;

	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &old);
	small = (struct rlimit){ .rlim_cur = room, .rlim_max = old.rlim_max };
	setrlimit(RLIMIT_FSIZE, &small);
	begin("/tmp");
	if (level && packer_begin(&rec.packer, level, settle))
		abort();
	for (int round = 0; round < 10; round++) {
		make_samples(&records);
		send_records(&records);
		recording_pump(&rec);
	}
	recording_write_packed(&rec, true);
	in_file = samples_in_file();
	unit_ok(rec.output_err == -EFBIG, "the error of a full output is kept");
	unit_ok(in_file > 0 && in_file == rec.tally.samples,
		"samples counted as written are in the file");
	unit_ok(rec.tally.samples + rec.tally.unwritten == 10 * NR_SAMPLES,
		"all other samples are counted as not written");
	setrlimit(RLIMIT_FSIZE, &old);
	close(device);
	end();
}

/* A record with an impossible size must end the walk over the records. */
static void test_damaged(void)
{
	struct bytes records = { 0 };
	u16 sizes[] = { 0, 7, 9, 0xffff };

	begin("/tmp");
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		make_sample(&records, 0, 1, 1, 0);
		memcpy(records.data + 6, &sizes[i], sizeof(sizes[i]));
		recording_note(&rec, records.data, records.len);
		bytes_free(&records);
	}
	unit_ok(rec.tally.samples <= 1,
		"impossible sizes of records are not followed");
	close(device);
	end();
}

static void make_short(struct bytes *out, u64 time)
{
	struct perf_event_header header = {
		.type = PERF_RECORD_SAMPLE,
		.misc = PERF_RECORD_MISC_USER,
		.size = sizeof(header) + 3 * sizeof(u64),
	};

	bytes_add(out, &header, sizeof(header));
	bytes_add_u64(out, 0x1000);
	bytes_add_u64(out, 0);
	bytes_add_u64(out, time);
}

/* Samples of a single event have no identifier before the time. */
static void test_short(void)
{
	struct record_trailer trailer = { .time = 1, .sample_type = PERF_SAMPLE_TIME };
	struct bytes records = { 0 };

	begin("/tmp");
	rec.events.all[0].attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME;
	for (u64 time = 900; time > 500; time -= 100)
		make_short(&records, time);
	record_comm(&records, &trailer, "one");
	unit_ok(records.len == 4 * 32 + 8 + 8 + 8 + 16,
		"a trailer has only the fields that the event requests");
	make_short(&records, 1000);
	make_short(&records, 950);
	recording_note(&rec, records.data, records.len);
	unit_ok(rec.tally.samples == 6 && rec.tally.first == 600 && rec.tally.last == 1000,
		"short samples are counted, and their first and last times are noted");
	recording_note(&rec, records.data, 31);
	recording_note(&rec, records.data, 32 + 31);
	unit_ok(rec.tally.samples == 7, "a truncated sample is not counted");
	bytes_free(&records);
	close(device);
	end();
}

int main(void)
{
	test_short();
	test_flow();
	test_full(0, 16384);
	test_full(1, 8192);
	test_damaged();
	return unit_exit();
}
