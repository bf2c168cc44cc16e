// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - write perf.data and read it back
 *
 * If perf is installed, it must be able to read the file, too.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "perfdata/feature_cursor.h"
#include "perfdata/reader.h"
#include "perfdata/record_types.h"
#include "perfdata_test.h"
#include "unit.h"
#include "world/tasks.h"

static char dir[] = "/tmp/tprof-lx-unit.XXXXXX";
static char path[64];

static int create(void)
{
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);

	if (fd < 0)
		abort();
	return fd;
}

/**
 * struct seen - what the reader returned for a recording
 * @samples:	number of samples of each event
 * @sorted:	the samples were in the order of their times
 * @ledger:	the ledger was read
 * @build_id:	the mapping was read, with its build-id
 * @comm:	name of the process at its last sample
 * @err:	0 if reading reached the end, else -errno
 */
struct seen {
	int samples[NR_EVENTS];
	bool sorted;
	bool ledger;
	bool build_id;
	char comm[16];
	int err;
};

static void look(struct reader *reader, const struct record *record,
		 struct task_set *tasks, struct seen *seen, u64 *last)
{
	const struct layout *layout = &record->event->layout;
	u32 type = record->header.type;
	struct record_body body = { record->data, record->header.size,
				    record->header.misc };
	struct record_field text = { "path", FIELD_TEXT, 16 };
	struct task_record task;
	struct map_record map;
	struct sample sample;

	if (type == PERF_RECORD_SAMPLE) {
		layout_sample(layout, record->data, &sample);
		seen->samples[record->event - reader->events]++;
		seen->sorted &= record->time == sample.time &&
				sample.time >= *last;
		*last = sample.time;
		snprintf(seen->comm, sizeof(seen->comm), "%s",
			 tasks_name(tasks, sample.tid));
		return;
	}
	body.size -= layout->trailer;
	if ((type == PERF_RECORD_COMM || type == PERF_RECORD_FORK) &&
	    !record_task(&body, type, &task))
		tasks_update(tasks, type, &task);
	if (type == PERF_RECORD_MMAP2 && !record_map(&body, type, &map))
		seen->build_id = map.build_id.size == 20 &&
				 map.build_id.data[1] == 0xcd &&
				 !strcmp(map.name, "/bin/example") &&
				 map.prot == 5 && map.len == 0x1000;
	if (type == PERF_RECORD_CGROUP)
		seen->ledger = !strncmp(record_text(&body, &text),
					TPROF_LX_LEDGER_PREFIX "cpu=0", 21);
}

static void read_all(struct reader *reader, struct seen *seen)
{
	struct task_set tasks = { 0 };
	struct record record;
	u64 last = 0;

	*seen = (struct seen){ .sorted = true };
	while ((seen->err = reader_next(reader, &record)) > 0) {
		if (record.event)
			look(reader, &record, &tasks, seen, &last);
	}
	tasks_free(&tasks);
}

static void check_seen(const struct seen *seen, const char *form)
{
	char name[64];

	snprintf(name, sizeof(name), "%s: all samples of each event are read", form);
	unit_ok(!seen->err && seen->samples[0] == NR_SAMPLES / 2 &&
		seen->samples[1] == NR_SAMPLES / 2, name);
	snprintf(name, sizeof(name), "%s: samples are in order", form);
	unit_ok(seen->sorted, name);
	snprintf(name, sizeof(name), "%s: mapping, ledger and inherited name are read",
		 form);
	unit_ok(seen->build_id && seen->ledger &&
		!strcmp(seen->comm, "example"), name);
}

static void check_features(struct reader *reader, const char *form)
{
	struct feature_cursor arch, times, command;
	char name[64];
	u64 first, last;
	u32 argc;

	arch = feature_begin(&reader->features, PERFDATA_ARCH);
	times = feature_begin(&reader->features, PERFDATA_SAMPLE_TIME);
	command = feature_begin(&reader->features, PERFDATA_CMDLINE);
	snprintf(name, sizeof(name), "%s: features are read", form);
	unit_ok(!strcmp(feature_string(&arch), "x86_64") &&
		feature_u64(&times, &first) && feature_u64(&times, &last) &&
		first == FIRST_TIME && last == FIRST_TIME + 999 &&
		feature_u32(&command, &argc) && argc == 4 &&
		!strcmp(feature_string(&command), "tprof-lx"), name);
	snprintf(name, sizeof(name), "%s: names of events are read", form);
	unit_ok(reader->nr_events == NR_EVENTS &&
		!strcmp(reader->events[0].name, "nmi") &&
		!strcmp(reader->events[1].name, "timer:u"), name);
}

static void test_read_again(bool pipe)
{
	const char *form = pipe ? "pipe" : "file";
	struct reader reader;
	struct seen seen;
	int fd = create();

	unit_ok(!write_recording(fd, pipe), pipe ? "a pipe is written" :
						   "a file is written");
	lseek(fd, 0, SEEK_SET);
	unit_ok(!reader_open(&reader, fd) && reader.pipe == pipe,
		pipe ? "a pipe is opened" : "a file is opened");
	read_all(&reader, &seen);
	check_seen(&seen, form);
	check_features(&reader, form);
	reader_close(&reader);
	close(fd);
}

/*
 * Read the file of a killed writer: its header was last updated at the checkpoint. It has
 * appended records again since, or not.
 */
static void test_checkpoint(bool has_more, const char *name)
{
	struct feature_set none = { 0 };
	struct writer writer;
	struct bytes records = { 0 };
	struct reader reader;
	struct seen seen;
	size_t written;
	int fd = create();

	make_events();
	make_samples(&records);
	writer_begin(&writer, fd, false, test_events, NR_EVENTS, &none);
	writer_append(&writer, records.data, records.len, &written);
	writer_append(&writer, records.data, records.len, &written);
	writer_checkpoint(&writer);
	if (has_more)
		writer_append(&writer, records.data, records.len, &written);

	lseek(fd, 0, SEEK_SET);
	unit_ok(!reader_open(&reader, fd),
		"a file without an end can be opened");
	read_all(&reader, &seen);
	unit_ok(seen.err == -ENODATA &&
		seen.samples[0] + seen.samples[1] == (has_more ? 3 : 2) * NR_SAMPLES, name);
	reader_close(&reader);
	bytes_free(&records);
	close(fd);
}

static int count_by_perf(const char *command)
{
	char line[256];
	int nr = 0;
	FILE *pipe;

	snprintf(line, sizeof(line), "cd %s && %s", dir, command);
	pipe = popen(line, "r");
	while (pipe && fgets(line, sizeof(line), pipe))
		nr++;
	if (pipe)
		pclose(pipe);
	return nr;
}

static void test_perf(bool pipe)
{
	const char *form = pipe ? "pipe" : "file";
	char name[64];
	int fd;

	if (system("perf --version >/dev/null 2>&1")) {
		snprintf(name, sizeof(name), "perf reads a %s", form);
		unit_skip(name, "perf is not installed");
		return;
	}
	fd = create();
	write_recording(fd, pipe);
	close(fd);
	snprintf(name, sizeof(name), "perf reads all samples of a %s", form);
	unit_ok(count_by_perf("perf script -i perf.data -F comm 2>/dev/null") ==
		NR_SAMPLES, name);
	snprintf(name, sizeof(name), "perf prints no complaint about a %s", form);
	unit_ok(!count_by_perf("perf script -i perf.data 2>&1 >/dev/null"),
		name);
	snprintf(name, sizeof(name), "perf names the events of a %s", form);
	unit_ok(count_by_perf("perf script -i perf.data -F event 2>/dev/null | grep timer:u") ==
		NR_SAMPLES / 2, name);
	snprintf(name, sizeof(name), "perf finds the build-id of a %s", form);
	unit_ok(count_by_perf("perf buildid-list -i perf.data 2>&1 | grep '^abcd0*  */bin/ex'") ==
		1, name);
}

/* Check the file of a recording that did not fit into @limit bytes. */
static void check_full(int fd, int err, int expected, size_t limit,
		       const char *what)
{
	struct reader reader;
	struct seen seen;
	char name[96];
	struct stat st;

	fstat(fd, &st);
	lseek(fd, 0, SEEK_SET);
	snprintf(name, sizeof(name), "%s of %zu bytes: the error is returned", what, limit);
	unit_ok(err == expected, name);
	snprintf(name, sizeof(name), "%s of %zu bytes: the file can be opened", what,
		 limit);
	unit_ok(st.st_size <= limit && !reader_open(&reader, fd), name);
	read_all(&reader, &seen);
	snprintf(name, sizeof(name),
		 "%s of %zu bytes: the file has the features and what fits", what, limit);
	unit_ok(!seen.err && seen.sorted && seen.samples[0] > 0 &&
		seen.samples[0] + seen.samples[1] < NR_SAMPLES &&
		reader.features.section[PERFDATA_ARCH].len, name);
	reader_close(&reader);
}

static void test_file_limit(rlim_t limit)
{
	struct rlimit old, small;
	int fd = create(), err;

	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &old);
	small = (struct rlimit){ .rlim_cur = limit, .rlim_max = old.rlim_max };
	setrlimit(RLIMIT_FSIZE, &small);
	err = write_recording(fd, false);
	setrlimit(RLIMIT_FSIZE, &old);
	check_full(fd, err, -EFBIG, limit, "a limit");
	close(fd);
}

static void test_full_disk(size_t size)
{
	char options[32];
	int fd, err;

	snprintf(options, sizeof(options), "size=%zu", size);
	if (unshare(CLONE_NEWNS) ||
	    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("none", dir, "tmpfs", 0, options)) {
		unit_skip("a full disk", "mounting is not allowed");
		return;
	}
	fd = create();
	err = write_recording(fd, false);
	check_full(fd, err, -ENOSPC, size, "a disk");
	close(fd);
	umount(dir);
}

static void add_foreign(struct bytes *records, u32 type)
{
	struct perf_event_header header = { .type = type, .size = 24 };

	bytes_add(records, &header, sizeof(header));
	bytes_add_u64(records, 1);
	bytes_add_u64(records, 2);
}

/* Write a recording with @records and begin to read it. Return the file. */
static int open_records(struct reader *reader, struct bytes *records)
{
	static struct feature_set none;
	struct writer writer;
	size_t written;
	int fd = create();

	if (writer_begin(&writer, fd, false, test_events, NR_EVENTS, &none) ||
	    writer_append(&writer, records->data, records->len, &written) ||
	    writer_end(&writer, &none))
		abort();
	bytes_free(records);
	lseek(fd, 0, SEEK_SET);
	if (reader_open(reader, fd))
		abort();
	return fd;
}

/*
 * Write and read a recording with two records of unknown type @type and a sample of an
 * unknown event, between samples of known events.
 */
static void read_foreign(struct reader *reader, struct seen *seen, u32 type)
{
	struct bytes records = { 0 };
	int fd;

	make_events();
	make_sample(&records, 0, FIRST_TIME, 0x400100, 0);
	add_foreign(&records, type);
	add_foreign(&records, type);
	test_events[1].id = 43;
	make_sample(&records, 1, FIRST_TIME + 1, 0x400100, 0);
	test_events[1].id = 42;
	make_sample(&records, 1, FIRST_TIME + 2, 0x400100, 0);
	fd = open_records(reader, &records);
	read_all(reader, seen);
	reader_close(reader);
	close(fd);
}

static void test_foreign(void)
{
	struct reader reader;
	struct seen seen;

	read_foreign(&reader, &seen, 99);
	unit_ok(!seen.err && seen.samples[0] == 1 && seen.samples[1] == 1,
		"records of an unknown type are skipped");
	unit_ok(reader.nr_unknown == 2 && reader.unknown_type == 99,
		"records of an unknown type are counted");
	unit_ok(reader.nr_orphans == 1 && reader_not_understood(&reader) == 3,
		"samples of no event are counted");
	read_foreign(&reader, &seen, 40);
	unit_ok(!seen.err && reader.nr_unknown == 2 && reader.unknown_type == 40,
		"records of a kernel's unknown type are counted");
	read_foreign(&reader, &seen, PERF_RECORD_AUX);
	unit_ok(!seen.err && seen.samples[0] == 1 && seen.samples[1] == 1 &&
		reader.nr_malformed == 2 && reader.malformed_at,
		"records without the form of their type are counted");
	read_foreign(&reader, &seen, PERFDATA_THREAD_MAP);
	unit_ok(!seen.err && reader.nr_malformed == 2,
		"so are those that the recorder writes");
	read_foreign(&reader, &seen, 123456);
	unit_ok(seen.err == -EBADMSG && reader.msg.text[0],
		"an impossible type of record is damage");
}

/* The record is as long as a trailer, and so too short for header and trailer. */
static void test_short_record(void)
{
	struct perf_event_header header = { .type = PERF_RECORD_LOST,
					    .size = RECORD_TRAILER_BYTES };
	struct bytes records = { 0 };
	struct reader reader;
	struct record record;
	int fd;

	make_events();
	bytes_add(&records, &header, sizeof(header));
	bytes_add_u64(&records, 1);
	bytes_add_u64(&records, 2);
	bytes_add_u64(&records, test_events[1].id);
	fd = open_records(&reader, &records);
	unit_ok(!reader_next(&reader, &record) && reader.nr_malformed == 1,
		"a record too short for a trailer is malformed");
	reader_close(&reader);
	close(fd);
}

/* The reader must return the right error for each file that it cannot read. */
static void test_refusals(void)
{
	struct reader reader;
	int fd = create();

	unit_ok(reader_open(&reader, fd) == -EBADMSG && reader.msg.text[0],
		"an empty file is refused");
	if (write(fd, "2ELIFREP01234567", 16) != 16)
		abort();
	lseek(fd, 0, SEEK_SET);
	unit_ok(reader_open(&reader, fd) == -EOPNOTSUPP,
		"the other byte order is refused");
	lseek(fd, 0, SEEK_SET);
	if (write(fd, "#!/bin/sh\necho 1234567890", 25) != 25)
		abort();
	lseek(fd, 0, SEEK_SET);
	unit_ok(reader_open(&reader, fd) == -EBADMSG, "a script is refused");
	close(fd);
}

int main(void)
{
	snprintf(path, sizeof(path), "%s/perf.data", mkdtemp(dir));
	test_read_again(false);
	test_read_again(true);
	test_checkpoint(true, "a file without an end has the records after its checkpoint, too");
	test_checkpoint(false, "a file that ends at its checkpoint was never finished");
	test_perf(false);
	test_perf(true);
	test_file_limit(12000);
	test_file_limit(16384);
	test_file_limit(25001);
	test_full_disk(16384);
	test_foreign();
	test_short_record();
	test_refusals();
	unlink(path);
	rmdir(dir);
	return unit_exit();
}
