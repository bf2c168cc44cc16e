// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - the command filter
 *
 * The output must be what report shows with the same options. The recording has two events, two
 * processes, one of which gets another name, three CPUs, and a sample each second.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "cli/command.h"
#include "cli/say.h"
#include "perfdata/stitch.h"
#include "perfdata_test.h"
#include "profile/gather.h"
#include "unit.h"

#define FIRST		10
#define SECONDS	12
#define OTHER_ID	43
#define MAX_ARGS	16

static char dir[] = "/tmp/filter_test.XXXXXX", in[64], out[64], *said, *printed;

/* Return the time @tenths of a second after the time 0 of the clock. */
static u64 at(u64 tenths)
{
	return tenths * NSEC_PER_SEC / 10;
}

static void add_sample(struct bytes *to, u32 i)
{
	const struct test_sample sample = {
		.event = i % 2, .misc = i % 4 == 3 ? PERF_RECORD_MISC_KERNEL : 0,
		.ip = i % 4 == 3 ? 0xffffffff81000100 : i % 3 ? 0x400100 : 0x500100,
		.pid = 1234 + i / 2 % 2, .tid = 1234 + i / 2 % 2, .time = at(10 * (FIRST + i)),
		.cpu = i % 3, .period = 1000 + i,
	};
	u64 other = OTHER_ID;
	size_t begin = to->len;

	make_fields(to, &sample, sample.event ? 3 : 0);
	/* perf has several identifiers for an event. */
	if (i % 4 == 2)
		memcpy(to->data + begin + sizeof(struct perf_event_header), &other, sizeof(other));
	if (sample.event)
		make_chain(to, sample.ip);
}

static void add_loss(struct bytes *to, u64 tenths, u32 cpu, u64 id, u64 lost)
{
	struct record_trailer trailer = { .time = at(tenths), .cpu = cpu, .id = id };
	struct perf_event_header header = {
		.type = PERF_RECORD_LOST_SAMPLES,
		.size = sizeof(header) + sizeof(lost) + RECORD_TRAILER_BYTES,
	};

	bytes_add(to, &header, sizeof(header));
	bytes_add_u64(to, lost);
	record_add_trailer(to, &trailer);
}

static void add_past(struct bytes *to)
{
	struct record_trailer kernel = { .pid = -1, .id = 41 }, task = { .id = 41 };
	struct mapping text = { .start = 0xffffffff81000000, .len = 0x1000000,
				.pgoff = 0xffffffff81000000, .name = "[kernel.kallsyms]_text" };
	struct mapping program = { .start = 0x400000, .len = 0x1000, .prot = 5,
				   .name = "/none/prog" };
	struct mapping library = { .start = 0x500000, .len = 0x1000, .prot = 5,
				   .name = "/none/lib.so" };

	record_kernel_mmap(to, &kernel, &text);
	for (task.pid = 1234; task.pid <= 1235; task.pid++) {
		task.tid = task.pid;
		record_comm(to, &task, task.pid == 1234 ? "one" : "two");
		record_mmap2(to, &task, &program);
		record_mmap2(to, &task, &library);
	}
}

static void add_ledger(struct bytes *to)
{
	struct record_trailer end = { .time = at(400), .id = 41 };

	record_cgroup(to, &end, 0, TPROF_LX_LEDGER_PREFIX "cpu=0 event=0 taken=9 lost_ring=5");
	end.id = 42;
	record_cgroup(to, &end, 1ULL << 32 | 1,
		      TPROF_LX_LEDGER_PREFIX "cpu=1 event=1 taken=9 lost_ring=4");
	end.id = 41;
	record_cgroup(to, &end, 0, TPROF_LX_LEDGER_PREFIX "session chains_deep=2 unwritten=1");
}

static void add_records(struct bytes *to)
{
	struct record_trailer rename = { .pid = 1235, .tid = 1235, .time = at(165), .id = 41 };
	struct record_trailer mark = { .time = at(125), .id = 41 };

	add_past(to);
	for (u32 i = 0; i < SECONDS; i++) {
		if (i == 3)
			record_cgroup(to, &mark, 0, TPROF_LX_MARK_PREFIX "begin");
		if (i == 2)
			add_loss(to, 115, 0, 41, 3);
		if (i == 7)
			record_comm(to, &rename, "late");
		if (i == 8)
			add_loss(to, 175, 1, 42, 4);
		add_sample(to, i);
	}
	/* A sample of thread 1235 of process 1234, and later its call chain. */
	make_sample(to, 1, at(300), 0x400100, 0);
	make_rest(to, at(300) + 1000, 0x400100);
	add_ledger(to);
	record_finished_round(to);
}

/* Replace @records by a record that has them compressed. */
static void compress(struct bytes *records, struct feature_set *features)
{
	struct perf_event_header header = { .type = PERFDATA_COMPRESSED_DATA };
	struct bytes packed = { 0 };
	size_t room = ZSTD_compressBound(records->len);
	void *place;

	bytes_add(&packed, &header, sizeof(header));
	place = bytes_extend(&packed, room);
	header.size = sizeof(header) +
		      ZSTD_compress(place, room, records->data, records->len, 1);
	memcpy(packed.data, &header, sizeof(header));
	packed.len = header.size;
	bytes_free(records);
	*records = packed;
	features_set_compression(features, 1, 2);
}

static void make_recording(bool is_packed)
{
	static const u64 more[] = { OTHER_ID };
	struct feature_set features = { 0 };
	struct bytes records = { 0 };
	struct writer writer;
	size_t written;
	int fd = open(in, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	make_events();
	test_events[0].more_ids = more;
	test_events[0].nr_more_ids = 1;
	features_add_text(&features, PERFDATA_HOSTNAME, "host");
	features_add_events(&features, test_events, NR_EVENTS);
	add_records(&records);
	if (is_packed)
		compress(&records, &features);
	writer_begin(&writer, fd, false, test_events, NR_EVENTS, &features);
	writer_append(&writer, records.data, records.len, &written);
	writer_end(&writer, &features);
	features_free(&features);
	bytes_free(&records);
	close(fd);
}

/* Run @command with its first arguments and @options, which end with NULL. Return its status. */
static int run(const struct command *command, const char *const *first,
	       const char *const *options)
{
	FILE *terminal[] = { stdout, stderr };
	char *argv[MAX_ARGS] = { (char *)command->name };
	size_t len[2];
	int argc = 1, status;

	while (*first)
		argv[argc++] = (char *)*first++;
	while (*options)
		argv[argc++] = (char *)*options++;
	free(said);
	free(printed);
	stdout = open_memstream(&printed, &len[0]);
	stderr = open_memstream(&said, &len[1]);
	optind = 0;
	status = command->run(command, argc, argv);
	fclose(stdout);
	fclose(stderr);
	stdout = terminal[0];
	stderr = terminal[1];
	return status;
}

static int filter(const char *const *options)
{
	return run(&filter_command, (const char *const[]){ "-i", in, "-o", out, NULL }, options);
}

#define FILTER(...) filter((const char *const[]){ __VA_ARGS__, NULL })

/* Return what report prints of @path with @options, except for the lines about losses. */
static char *report(const char *path, const char *const *options)
{
	const char *const first[] = { "--stdio", "--no-debuginfod", "-s",
				      "comm,pid,tid,dso,sym", "-i", path, NULL };
	char *lost;

	if (run(&report_command, first, options))
		return strdup("failed");
	while ((lost = strstr(printed, "# Total Lost")))
		memmove(lost, strchr(lost, '\n') + 1, strlen(strchr(lost, '\n')));
	lost = strstr(printed, " samples; ");
	if (lost)
		*lost = '\0';
	return strdup(printed);
}

static const char *const none[] = { NULL };

/* Return true if report shows the same of the output as of the recording with @options. */
static bool is_same(const char *const *options)
{
	char *wanted = report(in, options), *got;
	bool same;

	if (filter(options))
		return false;
	got = report(out, none);
	same = !strcmp(wanted, got) && strstr(got, "# Samples: ");
	if (!same)
		printf("# %s\n--- not the same\n%s---\n%s", options[0], wanted, got);
	free(wanted);
	free(got);
	return same;
}

#define IS_SAME(...) is_same((const char *const[]){ __VA_ARGS__, NULL })

static void test_same(const char *name)
{
	char text[80];

	snprintf(text, sizeof(text), "the output has what report shows with an option%s", name);
	unit_ok(IS_SAME("--no-demangle") && IS_SAME("--event", "nmi") &&
		IS_SAME("--event", "timer:u") && IS_SAME("--pid", "1235") &&
		IS_SAME("--tid", "1234") && IS_SAME("--cpu", "1-2") && IS_SAME("--user-only") &&
		IS_SAME("--kernel-only") && IS_SAME("--time", "12,17.5") &&
		IS_SAME("--time", ",15") && IS_SAME("--time", "17,"), text);
	snprintf(text, sizeof(text), "options can be combined%s", name);
	unit_ok(IS_SAME("--event", "nmi", "--cpu", "0,1", "--time", "11,20") &&
		IS_SAME("--pid", "1234", "--user-only"), text);
}

/* Return the number of samples of the output; set @lost to that of lost ones, if not NULL. */
static u64 samples_of_output(u64 *lost, u64 *nr_continued)
{
	const struct gather_options options = { .keys = { { column_find("comm") }, 1 } };
	const struct symbol_options symbols = { .no_debuginfod = true };
	int fd = open(out, O_RDONLY | O_CLOEXEC);
	struct gather gather;
	struct reader reader;
	u64 nr;

	if (fd < 0 || reader_open(&reader, fd) ||
	    gather_init(&gather, &options, &symbols, &reader) || gather_all(&gather, &reader))
		abort();
	nr = gather.nr_not_understood ? ~0ULL : gather.samples;
	if (lost)
		*lost = losses_sum(&gather.losses);
	if (nr_continued)
		*nr_continued = gather.nr_continued;
	gather_free(&gather);
	reader_close(&reader);
	close(fd);
	return nr;
}

static void test_shown(void)
{
	unit_ok(!FILTER("--comm", "late") && samples_of_output(NULL, NULL) == 4,
		"a thread is chosen by its name at the time of the sample");
	unit_ok(!FILTER("--comm", "two") && samples_of_output(NULL, NULL) == 3,
		"a name that a thread had before is chosen, too");
	unit_ok(!FILTER("--dso", "lib.so") && samples_of_output(NULL, NULL) == 3,
		"a binary is chosen by its name");
	unit_ok(!FILTER("--dso", "/none/lib.so,[kernel.kallsyms]") &&
		samples_of_output(NULL, NULL) == 6, "or by its path");
}

static bool has_lost(const char *option, const char *value, u64 wanted)
{
	u64 lost;

	return !FILTER(option, value) && samples_of_output(&lost, NULL) && lost == wanted;
}

static void test_losses(void)
{
	unit_ok(has_lost("--pid", "1234", 10), "losses of unknown processes stay");
	unit_ok(has_lost("--event", "nmi", 6) && has_lost("--event", "timer:u", 5),
		"losses of other events do not");
	unit_ok(has_lost("--cpu", "1", 5), "nor do those of other CPUs");
	unit_ok(has_lost("--time", "11,13", 3 + 2 + 1) && has_lost("--time", "17,18", 4 + 2 + 1) &&
		has_lost("--time", "14,15", 2 + 1),
		"a part of the time has its losses, and those of unknown time");
	unit_ok(!FILTER("--event", "timer:u") &&
		!run(&info_command, (const char *const[]){ "-i", out, NULL }, none) &&
		strstr(printed, "cpu=1 event=0 ") && !strstr(printed, "cpu=0 event="),
		"lines of the ledger have the number of the event in the output");
}

static void test_chains(void)
{
	u64 nr;

	unit_ok(!FILTER("--pid", "1234") && samples_of_output(NULL, &nr) && nr == 1,
		"a sample stays with its deferred call chain");
	unit_ok(!FILTER("--pid", "1235") && samples_of_output(NULL, &nr) && !nr,
		"a call chain without its sample does not stay");
	unit_ok(!FILTER("--time", "29.5,30") && samples_of_output(NULL, &nr) == 1 && nr == 1,
		"a call chain stays that comes after the time");
}

/* Return the number of records of @type in the output, and set @nr_events. */
static u32 records_of_output(u32 type, u32 *nr_events, bool *has_event)
{
	int fd = open(out, O_RDONLY | O_CLOEXEC);
	struct record record;
	struct reader reader;
	u32 nr = 0;

	if (fd < 0 || reader_open(&reader, fd))
		abort();
	*nr_events = reader.nr_events;
	*has_event = !strcmp(reader.events[0].name, "timer:u") && reader.nr_ids == 1 &&
		     !reader.features.section[PERFDATA_COMPRESSED].len &&
		     reader.features.section[PERFDATA_HOSTNAME].len;
	while (reader_next(&reader, &record) > 0)
		nr += record.header.type == type;
	reader_close(&reader);
	close(fd);
	return nr;
}

static void test_records(void)
{
	bool has_event;
	u32 nr;

	unit_ok(!FILTER("--event", "timer:u") &&
		records_of_output(PERF_RECORD_MMAP2, &nr, &has_event) == 4 && nr == 1 && has_event,
		"the output has the events that stay, and mappings of all");
	unit_ok(!FILTER("--time", "13,") &&
		records_of_output(PERF_RECORD_CGROUP, &nr, &has_event) == 3,
		"a mark before the time does not stay");
	unit_ok(!FILTER("--time", ",13") &&
		records_of_output(PERF_RECORD_COMM, &nr, &has_event) == 2,
		"a name that a thread gets after the time does not stay");
}

static int outputs_left(void)
{
	struct stat st;
	char command[128];

	snprintf(command, sizeof(command), "test \"$(ls -A %s)\" = in", dir);
	return stat(out, &st) ? system(command) : 1;
}

static bool is_refused(const char *const *options, int status, const char *why)
{
	int got = filter(options);

	if (got == status && strstr(said, why) && !outputs_left())
		return true;
	printf("# status %d: %s\n", got, said);
	return false;
}

#define IS_REFUSED(status, why, ...) \
	is_refused((const char *const[]){ __VA_ARGS__, NULL }, status, why)

static void test_errors(void)
{
	struct rlimit all, few = { 1024, 1024 };
	int status;

	unlink(out);
	unit_ok(IS_REFUSED(STATUS_FAILED, "has no event 'nope'", "--event", "nope"),
		"an unknown event is named");
	unit_ok(IS_REFUSED(STATUS_FAILED, "has no sample that these options choose", "--pid", "1"),
		"an empty output is not written");
	unit_ok(IS_REFUSED(STATUS_USAGE, "'5' is not FROM,TO", "--time", "5") &&
		IS_REFUSED(STATUS_USAGE, "leave no sample", "--user-only", "--kernel-only"),
		"options are checked as in report");
	unit_ok(IS_REFUSED(STATUS_USAGE, "the output cannot be a pipe", "-o", "-"),
		"the output is no pipe");
	unit_ok(IS_REFUSED(STATUS_FAILED, "is the recording itself", "-o", in),
		"the output is another file");
	getrlimit(RLIMIT_FSIZE, &all);
	few.rlim_max = all.rlim_max;
	setrlimit(RLIMIT_FSIZE, &few);
	status = FILTER("--pid", "1234");
	setrlimit(RLIMIT_FSIZE, &all);
	unit_ok(status == STATUS_FAILED && strstr(said, "File too large") && !outputs_left(),
		"a file that cannot be written whole is removed");
}

int main(void)
{
	if (!mkdtemp(dir))
		abort();
	snprintf(in, sizeof(in), "%s/in", dir);
	snprintf(out, sizeof(out), "%s/out", dir);
	make_recording(false);
	test_same("");
	test_shown();
	test_losses();
	test_chains();
	test_records();
	test_errors();
	make_recording(true);
	test_same(", of a compressed recording");
	unlink(in);
	unlink(out);
	rmdir(dir);
	free(said);
	free(printed);
	return unit_exit();
}
