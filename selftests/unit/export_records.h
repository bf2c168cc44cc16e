/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx unit tests - recordings to export, and their sums by the code of report
 *
 * The sampled process is this program. A perf map names its functions, so symbols are read
 * from no other file.
 */
#ifndef TPROF_EXPORT_RECORDS_H
#define TPROF_EXPORT_RECORDS_H

#include <fcntl.h>
#include <sys/stat.h>

#include "cli/command.h"
#include "cli/say.h"
#include "gather_records.h"
#include "own_map.h"

/* Functions of 0x1000 bytes each, from FIRST. The names of the last two are hostile. */
#define FIRST		0x1000
#define IN(nr)		(FIRST + 0x1000ULL * (nr) + 0x100)
enum { MAIN, LEAF, AGAIN, EVIL, LONG, NR_FUNCTIONS };
#define EVIL_NAME	"x\"\\</script>;\x01\xff\xc3\xa9"
#define LONG_LEN	5000

#define EVIL_COMM	"a\";\n\x80"

static struct bytes records;
static u64 now;
static char directory[48], recording[64], exported[64];
static u8 *got;
static size_t got_len;

/* Add a sample of event @event in thread getpid() + @thread. @ips[0] is its address. */
static inline void add_chain(int event, u32 thread, u64 period, const u64 *ips, size_t nr)
{
	bool has_chain = test_events[event].attr.sample_type & PERF_SAMPLE_CALLCHAIN;
	const struct test_sample sample = {
		.event = event, .ip = ips[0], .pid = getpid(), .tid = getpid() + thread,
		.time = now, .cpu = 3, .period = period,
	};
	size_t i;

	make_fields(&records, &sample, has_chain ? nr + 2 : 0);
	now += 1000;
	if (!has_chain)
		return;
	bytes_add_u64(&records, nr + 1);
	bytes_add_u64(&records, PERF_CONTEXT_USER);
	for (i = 0; i < nr; i++)
		bytes_add_u64(&records, ips[i]);
}

#define ADD(event, thread, period, ...)                                             \
	add_chain(event, thread, period, (const u64[]){ __VA_ARGS__ },              \
		  sizeof((const u64[]){ __VA_ARGS__ }) / sizeof(u64))

static inline void make_functions(void)
{
	char lines[LONG_LEN + 512], name[LONG_LEN + 1];

	memset(name, 'l', LONG_LEN);
	name[LONG_LEN] = '\0';
	snprintf(lines, sizeof(lines),
		 "1000 1000 main\n2000 1000 leaf\n3000 1000 again\n4000 1000 %s\n5000 1000 %s\n",
		 EVIL_NAME, name);
	own_map_make(lines);
}

/* Begin a recording of two threads. The second has a hostile name. */
static inline void begin_records(bool has_chains)
{
	struct record_trailer task = { .pid = getpid(), .tid = getpid(), .id = 41 };
	struct record_trailer other = { .pid = getpid(), .tid = getpid() + 1, .id = 41 };
	struct mapping map = { .start = FIRST, .len = NR_FUNCTIONS * 0x1000, .prot = 5,
			       .name = "//anon" };

	make_events();
	test_events[0].attr.sample_type &= ~PERF_SAMPLE_CALLCHAIN;
	if (has_chains)
		test_events[0].attr.sample_type |= PERF_SAMPLE_CALLCHAIN;
	now = FIRST_TIME;
	record_comm(&records, &task, "plain");
	record_comm(&records, &other, EVIL_COMM);
	record_mmap2(&records, &task, &map);
}

/* Write @records and @features to the file @recording, and remove them. */
static inline void end_records_with(struct feature_set *features, size_t nr_events)
{
	static struct feature_set none;
	struct writer writer;
	size_t written;
	int fd;

	snprintf(directory, sizeof(directory), "/tmp/export-%d", getpid());
	snprintf(recording, sizeof(recording), "%s/data", directory);
	snprintf(exported, sizeof(exported), "%s/out", directory);
	mkdir(directory, 0700);
	fd = open(recording, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	features_add_events(features, test_events, nr_events);
	writer_begin(&writer, fd, false, test_events, nr_events, &none);
	writer_append(&writer, records.data, records.len, &written);
	writer_end(&writer, features);
	features_free(features);
	bytes_free(&records);
	close(fd);
}

static inline void end_records(size_t nr_events)
{
	struct feature_set names = { 0 };

	end_records_with(&names, nr_events);
}

/* Make a recording of a sample of process 0, as those of an idle CPU. */
static inline void make_idle_recording(void)
{
	struct record_trailer idle = { .id = 41 };
	size_t len;

	begin_records(true);
	record_comm(&records, &idle, "swapper");
	len = records.len;
	ADD(0, 0, 1, IN(LEAF));
	memset(records.data + len + sizeof(struct perf_event_header) + 2 * sizeof(u64), 0,
	       2 * sizeof(u32));
	end_records(1);
}

/* Read the output into @got, with a terminating zero. */
static inline void read_output(void)
{
	struct stat st;
	FILE *file = fopen(exported, "re");

	free(got);
	got = NULL;
	got_len = 0;
	if (!file)
		return;
	if (fstat(fileno(file), &st))
		abort();
	got = calloc(1, st.st_size + 1);
	got_len = got ? fread(got, 1, st.st_size, file) : 0;
	fclose(file);
}

/* Export the recording as @format, with @option and its value unless NULL. */
static inline int run_export(const char *format, const char *option, const char *value)
{
	char *argv[] = { "export", (char *)format, "-i", recording, "-o", exported,
			 (char *)option, (char *)value, NULL };
	int status = export_command.run(&export_command, option ? value ? 8 : 7 : 6, argv);

	read_output();
	return status;
}

/* Export the recording as @format, with the keys @keys, slices of 4 us and a parent. */
static inline int run_export_with_keys(const char *format, const char *keys)
{
	char *argv[] = { "export", (char *)format, "-i", recording, "-o", exported, "-s",
			 (char *)keys, "--time-quantum", "4us", "--parent",
			 "^(leaf|again)$", NULL };
	int status = export_command.run(&export_command, 12, argv);

	read_output();
	return status;
}

/* Return the sums of @event in the recording by the code of report. */
static inline struct tally report_sums(u32 event)
{
	struct gather_options options = { .keys = { { column_find("sym") }, 1 } };
	struct symbol_options symbols = { 0 };
	struct tally sums = { 0 };
	struct gather gather;
	struct reader reader;
	int fd = open(recording, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || reader_open(&reader, fd) ||
	    gather_init(&gather, &options, &symbols, &reader) || gather_all(&gather, &reader))
		abort();
	if (event < gather.nr_profiles && gather.profiles[event])
		sums = (struct tally){ gather.profiles[event]->period,
				       gather.profiles[event]->samples };
	gather_free(&gather);
	reader_close(&reader);
	close(fd);
	return sums;
}

/* A recording with all that formats must get right: see each format's test. */
static inline void make_recording(void)
{
	u64 deep[512];
	size_t i;

	begin_records(true);
	ADD(0, 0, 10, IN(LEAF), IN(MAIN));
	ADD(0, 0, 20, IN(LEAF), IN(MAIN));
	ADD(0, 1, 40, IN(EVIL), IN(LONG), IN(MAIN));
	ADD(0, 0, 80, IN(AGAIN), IN(AGAIN) + 1, IN(LEAF), IN(AGAIN) + 1, IN(MAIN));
	ADD(1, 0, 160, IN(MAIN));
	ADD(1, 1, 320, IN(LEAF), IN(MAIN));
	for (i = 0; i < 512; i++)
		deep[i] = IN(AGAIN) + i % 7;
	add_chain(0, 0, 640, deep, 512);
	ADD(0, 0, 1280, 0x900000);
	end_records(2);
}

/* Add a sample like ADD(), with a field that test_events[0] has after the call chain. */
static inline void add_with_field(u32 thread, u64 period, u64 value)
{
	size_t before = records.len;
	u16 size;

	ADD(0, thread, period, IN(LEAF), IN(MAIN));
	bytes_add_u64(&records, value);
	size = records.len - before;
	memcpy(records.data + before + offsetof(struct perf_event_header, size), &size,
	       sizeof(size));
}

/* A recording of two cgroups; the path of the second is hostile, that of a third is unknown. */
static inline void make_recording_of_cgroups(void)
{
	struct record_trailer trailer = { .pid = getpid(), .tid = getpid(), .id = 41 };

	begin_records(true);
	test_events[0].attr.sample_type |= PERF_SAMPLE_CGROUP;
	record_cgroup(&records, &trailer, 7, "/first");
	record_cgroup(&records, &trailer, 8, "/a\"</script>\n");
	add_with_field(0, 1, 7);
	add_with_field(0, 2, 8);
	add_with_field(0, 4, 7);
	add_with_field(1, 8, 9);
	end_records(1);
}

/* A recording of three samples, two of which have the same weight. */
static inline void make_recording_of_weights(void)
{
	begin_records(true);
	test_events[0].attr.sample_type |= PERF_SAMPLE_WEIGHT;
	add_with_field(0, 1, 300);
	add_with_field(0, 2, 7);
	add_with_field(0, 4, 300);
	end_records(1);
}

static inline void make_empty_recording(void)
{
	begin_records(true);
	end_records(2);
}

static inline void make_recording_without_chains(void)
{
	begin_records(false);
	ADD(0, 0, 5, IN(LEAF));
	ADD(0, 0, 6, IN(LEAF));
	ADD(0, 1, 7, IN(MAIN));
	/* An address that would be a mark in a call chain. */
	ADD(0, 1, 8, UINT64_MAX);
	end_records(1);
}

static inline void remove_files(void)
{
	unlink(recording);
	unlink(exported);
	rmdir(directory);
	own_map_remove();
	free(got);
	got = NULL;
}

#endif /* TPROF_EXPORT_RECORDS_H */
