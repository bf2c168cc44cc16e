// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - the command merge
 *
 * Recordings of three hosts: A and B have the same processes, and binaries and kernels of one
 * name but of different builds. C has the kernel of A at another address.
 */
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/load.h"
#include "cli/command.h"
#include "cli/say.h"
#include "gather_records.h"
#include "merge/pids.h"
#include "perfdata/wall_clock.h"
#include "unit.h"

#define PID		1234
#define KERNEL		0xffffffff81000000ULL
#define KERNEL_LEN	0x1000000
#define PROGRAM		"/bin/prog"
#define TIMES		3

/**
 * struct host - what is special about a host
 * @name:	its name, and the suffix of its function names
 * @boot:	when it was started, in seconds
 * @kernel:	address of its kernel
 * @kernel_id:	first byte of the build-id of its kernel
 * @program_id:	the same of its program
 * @first:	time of its first sample, in seconds
 */
struct host {
	const char *name;
	u64	boot;
	u64	kernel;
	u8	kernel_id;
	u8	program_id;
	u64	first;
};

static const struct host a = { "a", 100, KERNEL, 1, 11, 10 };
static const struct host b = { "b", 50, KERNEL, 2, 12, 61 };
static const struct host c = { "c", 100, KERNEL + 0x2000000, 1, 11, 12 };

static char dir[] = "/tmp/merge_test.XXXXXX", paths[4][64], *said;

static void add_sample(struct bytes *out, int event, u64 time, u64 ip)
{
	bool has_chain = test_events[event].attr.sample_type & PERF_SAMPLE_CALLCHAIN;
	const struct test_sample sample = {
		.event = event,
		.misc = (s64)ip < 0 ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER,
		.ip = ip, .pid = PID, .tid = PID, .time = time, .period = 1,
	};

	make_fields(out, &sample, has_chain ? 3 : 0);
	if (has_chain)
		bytes_add_u64(out, 2);
	if (has_chain)
		bytes_add_u64(out, (s64)ip < 0 ? PERF_CONTEXT_KERNEL : PERF_CONTEXT_USER);
	if (has_chain)
		bytes_add_u64(out, ip);
}

static void add_records(struct bytes *out, const struct host *host)
{
	struct record_trailer kernel = { .pid = -1, .id = 41 };
	struct record_trailer task = { .pid = PID, .tid = PID, .id = 41 };
	struct record_trailer end = { .time = (host->first + 9) * NSEC_PER_SEC, .id = 42 };
	struct mapping text = { .start = host->kernel, .len = KERNEL_LEN, .pgoff = host->kernel,
				.name = "[kernel.kallsyms]_text" };
	struct mapping map = { .start = 0x400000, .len = 0x1000, .prot = 5, .name = PROGRAM };
	u64 i, time;

	record_kernel_mmap(out, &kernel, &text);
	record_comm(out, &task, "prog");
	record_mmap2(out, &task, &map);
	for (i = 0; i < TIMES; i++) {
		time = (host->first + 3 * i) * NSEC_PER_SEC;
		add_sample(out, 0, time, 0x400100);
		add_sample(out, 1, time + 1, host->kernel + 0x100);
	}
	record_cgroup(out, &end, 1ULL << 32, TPROF_LX_LEDGER_PREFIX
		      "cpu=0 event=1 taken=4 delivered=3 lost_ring=1");
}

static void add_symbol(struct objects *objects, const struct object_key *key, u64 start,
		       const char *name)
{
	struct object *object = objects_get(objects, key);
	struct symbol symbol = { .start = start, .end = start + 0x100, .name = name,
				 .plain = true };

	object->loaded = true;
	object->embedded = true;
	object->why = SYMBOL_FOUND;
	symtab_add(&object->symtab, &symbol);
	symtab_finish(&object->symtab);
}

static void add_symbols(struct feature_set *features, const struct host *host)
{
	struct build_id program = { 20, { host->program_id } };
	struct build_id kernel = { 20, { host->kernel_id } };
	struct object_key key = { PROGRAM, &program, OBJECT_FILE, PID };
	struct symbol_options options = { 0 };
	char user_name[16], kernel_name[16];
	struct objects objects;

	snprintf(user_name, sizeof(user_name), "user_%c", 'a' + host->program_id - 11);
	snprintf(kernel_name, sizeof(kernel_name), "kernel_%c", 'a' + host->kernel_id - 1);
	objects_init(&objects, &options);
	add_symbol(&objects, &key, 0x100, user_name);
	key = (struct object_key){ OBJECT_KERNEL_NAME, &kernel, OBJECT_KERNEL, -1 };
	add_symbol(&objects, &key, host->kernel + 0x100, kernel_name);
	objects_embed(&objects, &features->section[PERFDATA_TPROF_SYMBOLS]);
	objects_free(&objects);
}

static void add_features(struct feature_set *features, const struct host *host, bool has_symbols)
{
	struct build_id program = { 20, { host->program_id } };
	struct build_id kernel = { 20, { host->kernel_id } };
	struct bytes *clock = &features->section[PERFDATA_CLOCK_DATA];
	struct dso_set dsos = { 0 };

	features_add_text(features, PERFDATA_HOSTNAME, host->name);
	bytes_add_u32(clock, 1);
	bytes_add_u32(clock, CLOCK_MONOTONIC);
	bytes_add_u64(clock, (host->boot + 7) * NSEC_PER_SEC);
	bytes_add_u64(clock, 7 * NSEC_PER_SEC);
	dso_set_add(&dsos, PERF_RECORD_MISC_KERNEL, OBJECT_KERNEL_NAME, &kernel);
	dso_set_add(&dsos, PERF_RECORD_MISC_USER, PROGRAM, &program);
	dso_set_write(&dsos, &features->section[PERFDATA_BUILD_ID]);
	dso_set_free(&dsos);
	if (has_symbols)
		add_symbols(features, host);
}

/* Write and free records of @nr events, and features. */
static void write_file(const char *path, const struct perfdata_event *events, u32 nr,
		       struct bytes *records, struct feature_set *features)
{
	struct writer writer;
	size_t written;
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	writer_begin(&writer, fd, false, events, nr, features);
	writer_append(&writer, records->data, records->len, &written);
	writer_end(&writer, features);
	features_free(features);
	bytes_free(records);
	close(fd);
}

/* Make the recording of a host. The events of host b are in the other order. */
static void make_host(const char *path, const struct host *host, bool has_symbols)
{
	struct perfdata_event events[NR_EVENTS];
	struct feature_set features = { 0 };
	struct bytes records = { 0 };

	make_events();
	events[0] = test_events[host == &b];
	events[1] = test_events[host != &b];
	add_features(&features, host, has_symbols);
	features_add_events(&features, events, NR_EVENTS);
	add_records(&records, host);
	write_file(path, events, NR_EVENTS, &records, &features);
}

/* Run merge with the arguments @argv, and let @said be its messages. Return its status. */
static int run_merge(int argc, char **argv)
{
	FILE *terminal = stderr;
	size_t len;
	int status;

	free(said);
	stderr = open_memstream(&said, &len);
	status = merge_command.run(&merge_command, argc, argv);
	fclose(stderr);
	stderr = terminal;
	return status;
}

/* Merge @nr of the files at @files. */
static int merge(const char *output, const char *const *files, size_t nr)
{
	char *argv[16] = { "merge", "-o", (char *)output };

	for (size_t i = 0; i < nr; i++)
		argv[3 + i] = (char *)files[i];
	return run_merge(3 + nr, argv);
}

#define MERGE(output, ...)                                                   \
	merge(output, (const char *const[]){ __VA_ARGS__ },                   \
	      sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *))

static struct reader reader;
static struct gather gather;
static struct gather_options options;

/* Gather the file by @keys. */
static void read_by(const char *path, const struct profile_keys *keys)
{
	struct symbol_options symbols = { 0 };
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	options.keys = *keys;
	if (fd < 0 || reader_open(&reader, fd) ||
	    gather_init(&gather, &options, &symbols, &reader) || gather_all(&gather, &reader))
		abort();
	close(fd);
}

/* Gather the file by process and function. */
static void read_merged(const char *path)
{
	read_by(path, &(struct profile_keys){ { column_find("pid"), column_find("sym") }, 2 });
}

static void free_merged(void)
{
	gather_free(&gather);
	reader_close(&reader);
}

/* Return the number of samples of an event in a function of a process. */
static u64 samples_of(u32 event, u32 pid, const char *function)
{
	const struct profile *profile = gather.profiles[event];
	char buf[COLUMN_TEXT_LEN];
	const u64 *keys;

	for (u32 i = 0; i < profile->entries.nr; i++) {
		keys = entries_keys(&profile->entries, i);
		if (keys[0] == pid && !strcmp(symbol_key_text(keys[1], buf, sizeof(buf)), function))
			return entries_self(&profile->entries, i)->samples;
	}
	return 0;
}

static void test_hosts(void)
{
	u64 offset;

	unit_ok(!MERGE(paths[3], paths[0], paths[1], paths[2]), "three_hosts_are_merged");
	read_merged(paths[3]);
	unit_ok(reader.nr_events == 2 && gather.samples == 3 * 2 * TIMES,
		"all_samples_are_of_two_events");
	unit_ok(samples_of(0, PID, "user_a") == TIMES &&
		samples_of(0, PID + PIDS_STEP, "user_b") == TIMES &&
		samples_of(0, PID + 2 * PIDS_STEP, "user_a") == TIMES,
		"processes_and_builds_are_kept_apart");
	unit_ok(samples_of(1, PID, "kernel_a") == TIMES &&
		samples_of(1, PID + PIDS_STEP, "kernel_b") == TIMES &&
		samples_of(1, PID + 2 * PIDS_STEP, "kernel_a") == TIMES,
		"kernels_are_kept_apart_and_moved");
	unit_ok(losses_sum(&gather.losses) == 3, "ledgers_add_up");
	unit_ok(wall_clock_offset(&reader.features, &offset) && offset == 50 * NSEC_PER_SEC &&
		gather.first_time == 60 * NSEC_PER_SEC &&
		gather.last_time == 68 * NSEC_PER_SEC + 1, "times_are_of_one_clock");
	unit_ok(!strcmp((char *)reader.features.section[PERFDATA_HOSTNAME].data + 4, "a,b,c"),
		"all_hosts_are_named");
	free_merged();
}

/* Write the samples of the first event of @path to @output. */
static void run_filter(const char *path, const char *output)
{
	if (filter_command.run(&filter_command, 7,
			       (char *[]){ "filter", "-i", (char *)path, "-o", (char *)output,
					   "--event", "nmi", NULL }))
		abort();
}

/* Export @path as @format, and return the text. With "pprof", it is uncompressed. */
static char *export(const char *format, const char *path)
{
	char command[256], *text = NULL;
	char file[80];
	size_t len = 0;
	FILE *out;

	snprintf(file, sizeof(file), "%s/exported", dir);
	if (export_command.run(&export_command, 6,
			       (char *[]){ "export", (char *)format, "-i", (char *)path, "-o", file,
					   NULL }))
		abort();
	snprintf(command, sizeof(command), "gzip -dcf %s | tr '\\0' ' '", file);
	out = popen(command, "r");
	if (!out || getdelim(&text, &len, 0, out) < 0)
		abort();
	pclose(out);
	unlink(file);
	return text;
}

/* Return the number of samples of @host in rows. */
static u64 samples_of_host(const char *rows, const char *host)
{
	const char *at = rows, *count;
	char wanted[64];
	u64 nr = 0;

	snprintf(wanted, sizeof(wanted), "\"host\":\"%s\",", host);
	while ((at = strstr(at, wanted))) {
		at += strlen(wanted);
		count = strstr(at, "\"n\":");
		nr += count ? strtoull(count + strlen("\"n\":"), NULL, 10) : 0;
	}
	return nr;
}

/* Return true if the rows of @path have the samples of each of two hosts. */
static bool has_hosts(const char *path, u64 of_a, u64 of_b)
{
	char *rows = export("rows", path);
	bool has = samples_of_host(rows, "a") == of_a && samples_of_host(rows, "b") == of_b &&
		   !samples_of_host(rows, "a,b");

	if (!has)
		printf("# %s", rows);
	free(rows);
	return has;
}

/* Return the samples of the host named @name in @path. */
static u64 samples_by_key(const char *path, const char *name)
{
	const struct column *column = column_find("host");
	const struct profile *profile;
	char buf[COLUMN_TEXT_LEN];
	u64 samples = 0;

	read_by(path, &(struct profile_keys){ { column }, 1 });
	profile = gather.profiles[0];
	for (u32 i = 0; i < profile->entries.nr; i++) {
		if (!strcmp(column->text(entries_keys(&profile->entries, i)[0], buf, sizeof(buf)),
			    name))
			samples += entries_self(&profile->entries, i)->samples;
	}
	free_merged();
	return samples;
}

/* A recording of one host needs no identifiers for it. */
static void test_key(void)
{
	unit_ok(samples_by_key(paths[3], "a") == TIMES && samples_by_key(paths[3], "b") == TIMES &&
		samples_by_key(paths[3], "c") == TIMES && !samples_by_key(paths[3], "a,b,c"),
		"report_groups_by_host");
	unit_ok(samples_by_key(paths[1], "b") == TIMES, "report_knows_the_host_of_one_recording");
}

static void test_samples_of_hosts(void)
{
	char once[80], twice[80], *text;

	snprintf(once, sizeof(once), "%s/once", dir);
	snprintf(twice, sizeof(twice), "%s/twice", dir);
	MERGE(once, paths[0], paths[1]);
	unit_ok(has_hosts(once, 2 * TIMES, 2 * TIMES), "rows_have_the_host_of_each_sample");
	text = export("pprof", once);
	unit_ok(strstr(text, "host") && strstr(text, "pid"), "pprof_has_a_label_for_hosts");
	free(text);
	text = export("pprof", paths[0]);
	unit_ok(!strstr(text, "host") && strstr(text, "pid"),
		"pprof_has_no_such_label_for_one_host");
	free(text);
	MERGE(twice, once, paths[2]);
	text = export("rows", twice);
	unit_ok(has_hosts(twice, 2 * TIMES, 2 * TIMES) &&
		samples_of_host(text, "c") == 2 * TIMES, "hosts_stay_if_an_output_is_merged");
	free(text);
	run_filter(twice, once);
	unit_ok(has_hosts(once, TIMES, TIMES), "hosts_stay_if_an_output_is_filtered");
	unlink(once);
	unlink(twice);
}

/* Return true if the record is a sample with a call chain that begins at its address. */
static bool has_chain(const struct record *record)
{
	struct sample sample;

	return record->header.type == PERF_RECORD_SAMPLE &&
	       !layout_sample(&record->event->layout, record->data, &sample) &&
	       sample.chain.nr == 2 && load_u64(sample.chain.at + 8) == sample.ip;
}

/* Read the records: their order, and the text of the ledger. */
static void test_records(void)
{
	struct record record;
	u64 last = 0, nr_kernels = 0, nr_ledgers = 0, nr_chains = 0;
	bool is_sorted = true;
	int fd = open(paths[3], O_RDONLY | O_CLOEXEC);
	u64 at;

	if (fd < 0 || reader_open(&reader, fd))
		abort();
	for (at = 0; reader_next(&reader, &record) > 0; at = record.offset) {
		is_sorted &= record.offset >= at && (!record.time || record.time >= last);
		last = record.time ? record.time : last;
		nr_chains += has_chain(&record);
		nr_kernels += record.header.type == PERF_RECORD_MMAP;
		if (record.header.type == PERF_RECORD_CGROUP)
			nr_ledgers += !!strstr((const char *)record.data + 16,
					       nr_ledgers == 1 ? " event=0 " : " event=1 ");
	}
	unit_ok(is_sorted, "records_are_in_the_order_of_their_times");
	unit_ok(nr_kernels == 2, "each_build_of_the_kernel_has_one_mapping");
	unit_ok(nr_chains == 3 * TIMES, "call_chains_move_with_the_kernel");
	unit_ok(nr_ledgers == 3, "ledgers_have_the_numbers_of_the_events");
	reader_close(&reader);
	close(fd);
}

static void test_again(void)
{
	char again[80];

	snprintf(again, sizeof(again), "%s/again", dir);
	unit_ok(!MERGE(again, paths[0], paths[3]), "an_output_can_be_merged");
	read_merged(again);
	unit_ok(gather.samples == 4 * 2 * TIMES && samples_of(0, PID, "user_a") == TIMES &&
		samples_of(1, PID + PIDS_STEP, "kernel_a") +
		samples_of(1, PID + 2 * PIDS_STEP, "kernel_a") +
		samples_of(1, PID + 3 * PIDS_STEP, "kernel_a") == 2 * TIMES,
		"its_processes_are_kept_apart_again");
	free_merged();
	unlink(again);
}

static void test_missing_symbols(void)
{
	char plain[80], out[80];

	snprintf(plain, sizeof(plain), "%s/plain", dir);
	snprintf(out, sizeof(out), "%s/out", dir);
	make_host(plain, &b, false);
	unit_ok(MERGE(out, paths[0], plain) == STATUS_FAILED && !access(out, F_OK),
		"symbols_that_others_lack_are_left_out_and_reported");
	unit_ok(strstr(said, "out was written without the symbols in ") &&
		strstr(said, "; record all with --self-contained"),
		"the_report_names_the_output_and_what_to_type");
	read_merged(out);
	unit_ok(!reader.features.section[PERFDATA_TPROF_SYMBOLS].len &&
		gather.samples == 2 * 2 * TIMES, "the_samples_are_there_without_symbols");
	free_merged();
	unlink(plain);
	unlink(out);
}

/* The output has the command line as it was given. */
/* Add a record that reports @count lost samples, or lost records of any kind. */
static void add_lost(struct bytes *out, u32 type, u64 count)
{
	struct record_trailer trailer = { .pid = PID, .tid = PID, .time = NSEC_PER_SEC, .id = 41 };
	bool has_id = type == PERF_RECORD_LOST;
	struct perf_event_header header = {
		.type = type,
		.size = sizeof(header) + (1 + has_id) * sizeof(u64) + RECORD_TRAILER_BYTES,
	};

	if (!count)
		return;
	bytes_add(out, &header, sizeof(header));
	if (has_id)
		bytes_add_u64(out, 41);
	bytes_add_u64(out, count);
	record_add_trailer(out, &trailer);
}

/**
 * struct lossy - the loss records of a recording
 * @samples:	of LOST_SAMPLES
 * @records:	of LOST
 * @ledger:	text of its ledger, or NULL
 * @sum:	number of lost samples
 */
struct lossy {
	u64	samples;
	u64	records;
	const char *ledger;
	u64	sum;
};

static void make_lossy(const char *path, const struct lossy *lossy)
{
	struct record_trailer end = { .time = 2 * NSEC_PER_SEC, .id = 41 };
	struct feature_set features = { 0 };
	struct bytes records = { 0 };

	make_events();
	features_add_events(&features, test_events, NR_EVENTS);
	add_sample(&records, 0, NSEC_PER_SEC, 0x400100);
	add_lost(&records, PERF_RECORD_LOST_SAMPLES, lossy->samples);
	add_lost(&records, PERF_RECORD_LOST, lossy->records);
	if (lossy->ledger)
		record_cgroup(&records, &end, 0, lossy->ledger);
	write_file(path, test_events, NR_EVENTS, &records, &features);
}

/* Return the number of lost samples that a reader of the file reports. */
static u64 lost_in(const char *path)
{
	struct losses losses = { 0 };
	struct record record;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || reader_open(&reader, fd))
		abort();
	while (reader_next(&reader, &record) > 0)
		losses_update(&losses, &record);
	reader_close(&reader);
	close(fd);
	return losses_sum(&losses);
}

/* Merge recordings with each combination of ways to report lost samples. */
static void test_losses(void)
{
	static const struct lossy ways[] = {
		{ 0 },
		{ .samples = 100, .sum = 100 },
		{ .records = 70, .sum = 70 },
		{ .samples = 5, .records = 9, .sum = 5 },
		{ .ledger = TPROF_LX_LEDGER_PREFIX "cpu=0 event=0 taken=9 lost_ring=8", .sum = 8 },
		{ 3, 4, TPROF_LX_LEDGER_PREFIX "cpu=0 event=0 lost_ring=1 unwritten=1", 2 },
		{ 3, 4, TPROF_LX_LEDGER_PREFIX "cpu=0 event=0 taken=9", 0 },
	};
	char files[3][80], out[80], again[80];
	u32 i, k, l, nr = ARRAY_SIZE(ways);
	bool are_summed = true, stay = true;
	u64 sum;

	snprintf(out, sizeof(out), "%s/out", dir);
	snprintf(again, sizeof(again), "%s/again", dir);
	for (i = 0; i < 3; i++)
		snprintf(files[i], sizeof(files[i]), "%s/lossy%u", dir, i);
	for (i = 0; i < nr * nr * nr; i++) {
		for (k = 0, l = i, sum = 0; k < 3; k++, l /= nr) {
			make_lossy(files[k], &ways[l % nr]);
			sum += ways[l % nr].sum;
		}
		are_summed &= !MERGE(out, files[0], files[1], files[2]) && lost_in(out) == sum;
		stay &= !MERGE(again, out, files[0]) && lost_in(again) == sum + ways[i % nr].sum;
	}
	unit_ok(are_summed, "lost_samples_are_those_of_all_recordings");
	unit_ok(stay, "lost_samples_of_an_output_add_up_again");
	for (i = 0; i < 3; i++)
		unlink(files[i]);
	unlink(out);
	unlink(again);
}

/* Recordings whose clocks cannot be aligned have no common time of day. */
static void test_no_clock(void)
{
	static const struct lossy none = { 0 };
	char plain[80], out[80];
	u64 offset;

	snprintf(plain, sizeof(plain), "%s/plain", dir);
	snprintf(out, sizeof(out), "%s/out", dir);
	make_lossy(plain, &none);
	MERGE(out, paths[0], plain);
	unit_ok(strstr(said, "plain has no time of day"), "a_recording_without_clock_is_named");
	read_merged(out);
	unit_ok(!wall_clock_offset(&reader.features, &offset) &&
		!reader.features.section[PERFDATA_CLOCKID].len,
		"without_alignment_no_clock_is_claimed");
	free_merged();
	unlink(plain);
	unlink(out);
}

/* Make a recording with JIT-compiled code of a process, and another one without. */
static void make_jit(const char *path, bool has_symbols)
{
	struct record_trailer jit = { .pid = PID, .tid = PID, .id = 41 };
	struct record_trailer other = { .pid = PID + 1, .tid = PID + 1, .id = 41 };
	struct mapping code = { .start = 0x700000, .len = 0x1000, .prot = 7, .name = "//anon" };
	struct mapping file = { .start = 0x400000, .len = 0x1000, .prot = 5, .name = PROGRAM };
	struct feature_set features = { 0 };
	struct bytes records = { 0 };

	make_events();
	features_add_events(&features, test_events, NR_EVENTS);
	if (has_symbols)
		add_symbols(&features, &a);
	record_mmap2(&records, &jit, &code);
	code.start += code.len;
	record_mmap2(&records, &jit, &code);
	record_mmap2(&records, &other, &file);
	add_sample(&records, 0, NSEC_PER_SEC, 0x400100);
	write_file(path, test_events, NR_EVENTS, &records, &features);
}

static void test_jit(void)
{
	char files[2][80], out[80];

	snprintf(files[0], sizeof(files[0]), "%s/jit0", dir);
	snprintf(files[1], sizeof(files[1]), "%s/jit1", dir);
	snprintf(out, sizeof(out), "%s/out", dir);
	make_jit(files[0], false);
	make_jit(files[1], false);
	unit_ok(!MERGE(out, files[0], files[1]) &&
		strstr(said, "JIT symbols of 1 process, which got a new number, are missing"),
		"missing_jit_symbols_are_noted");
	make_jit(files[0], true);
	make_jit(files[1], true);
	unit_ok(!MERGE(out, files[0], files[1]) && !strstr(said, "JIT"),
		"jit_symbols_in_recordings_are_not_missing");
	unlink(files[0]);
	unlink(files[1]);
	unlink(out);
}

/* Make a recording of one event without identifiers in its records. */
static void make_event(const char *path, const char *name, u64 period, bool has_names)
{
	struct perf_event_header header = {
		.type = PERF_RECORD_SAMPLE,
		.misc = PERF_RECORD_MISC_USER,
		.size = sizeof(header) + sizeof(u64),
	};
	struct perfdata_event event;
	struct feature_set features = { 0 };
	struct bytes records = { 0 };

	make_events();
	event = test_events[0];
	event.name = name;
	event.attr.sample_type = PERF_SAMPLE_IP;
	event.attr.sample_period = period;
	if (has_names)
		features_add_events(&features, &event, 1);
	bytes_add(&records, &header, sizeof(header));
	bytes_add_u64(&records, 0x400100);
	write_file(path, &event, 1, &records, &features);
}

/* Return true if the recordings cannot be merged, and merge prints @why. */
static bool is_refused(const char *old, const char *new, const char *why)
{
	char out[80];
	int status;

	snprintf(out, sizeof(out), "%s/out", dir);
	status = MERGE(out, old, new);
	return status == STATUS_FAILED && access(out, F_OK) && strstr(said, why);
}

static void test_events_without_identifiers(void)
{
	char files[2][80];

	snprintf(files[0], sizeof(files[0]), "%s/event0", dir);
	snprintf(files[1], sizeof(files[1]), "%s/event1", dir);
	make_event(files[0], "nmi", 1000, true);
	make_event(files[1], "nmi", 2000, true);
	unit_ok(is_refused(files[0], files[1],
			   "event1 have event 'nmi' with different options; record both alike"),
		"an_event_with_different_options_is_named");
	make_event(files[1], "timer", 2000, true);
	unit_ok(is_refused(files[0], files[1],
			   "event0 has no identifiers in records of event 'nmi'"),
		"an_event_without_identifiers_is_named");
	make_event(files[1], "nmi", 1000, false);
	unit_ok(is_refused(files[0], files[1], "event1 lacks the names of its events"),
		"an_incomplete_recording_is_named");
	unlink(files[0]);
	unlink(files[1]);
}

/* A file is refused again under another name. A copy is another recording. */
static void test_same_file(void)
{
	char link_path[80], out[80];

	snprintf(link_path, sizeof(link_path), "%s/link", dir);
	snprintf(out, sizeof(out), "%s/out", dir);
	symlink(paths[0], link_path);
	unit_ok(MERGE(out, paths[0], paths[1], link_path) == STATUS_FAILED &&
		strstr(said, "/a and ") &&
		strstr(said, "/link are the same recording; name each once") && access(out, F_OK),
		"a_recording_that_is_named_twice_is_refused");
	unlink(link_path);
	make_host(link_path, &a, true);
	unit_ok(!MERGE(out, paths[0], link_path), "a_copy_is_merged");
	unlink(link_path);
	unlink(out);
}

/* AUX records are of hardware traces. */
static void test_left_out(void)
{
	struct record_trailer trailer = { .pid = PID, .tid = PID, .time = NSEC_PER_SEC, .id = 41 };
	struct perf_event_header header = {
		.type = PERF_RECORD_AUX,
		.size = sizeof(header) + 3 * sizeof(u64) + RECORD_TRAILER_BYTES,
	};
	struct feature_set features = { 0 };
	struct bytes records = { 0 };
	char traced[80], out[80];

	snprintf(traced, sizeof(traced), "%s/traced", dir);
	snprintf(out, sizeof(out), "%s/out", dir);
	make_events();
	features_add_events(&features, test_events, NR_EVENTS);
	add_symbols(&features, &b);
	bytes_add(&records, &header, sizeof(header));
	bytes_extend(&records, 3 * sizeof(u64));
	record_add_trailer(&records, &trailer);
	write_file(traced, test_events, NR_EVENTS, &records, &features);
	unit_ok(MERGE(out, paths[0], traced) == STATUS_FAILED && !access(out, F_OK) &&
		strstr(said, "without 1 record that cannot be moved, such as of type 11; "),
		"records_that_are_left_out_are_reported");
	unlink(traced);
	unlink(out);
}

/* The output is checked before the recordings, which may be large, are opened. */
static void test_outputs(void)
{
	char fifo[80], wrong[80];

	snprintf(fifo, sizeof(fifo), "%s/fifo", dir);
	snprintf(wrong, sizeof(wrong), "%s/none/out", dir);
	mkfifo(fifo, 0600);
	unit_ok(MERGE(fifo, paths[0], paths[1]) == STATUS_USAGE &&
		strstr(said, "the output cannot be a pipe or a device; give -o FILE") &&
		MERGE("/dev/null", paths[0], paths[1]) == STATUS_USAGE &&
		strstr(said, "or a device"),
		"a_pipe_or_device_as_output_is_refused");
	unlink(fifo);
	unit_ok(MERGE(wrong, "/nonexistent", paths[1]) == STATUS_FAILED &&
		strstr(said, "/none/out") && !strstr(said, "/nonexistent"),
		"the_output_is_checked_first");
	unit_ok(MERGE(wrong, paths[0], paths[1]) == STATUS_FAILED, "a_missing_directory_fails");
}

/* Control characters in a name would change what a terminal shows. */
static void test_names(void)
{
	char odd[80], out[80];

	snprintf(odd, sizeof(odd), "%s/\033[2Jodd", dir);
	snprintf(out, sizeof(out), "%s/\033[2Jout", dir);
	unit_ok(MERGE(out, paths[0], odd) && strstr(said, "\\x1b[2Jodd does not exist") &&
		!strchr(said, '\033'), "a_missing_name_is_escaped");
	make_host(odd, &b, false);
	unit_ok(MERGE(odd, paths[0], odd) && strstr(said, "x1b[2Jodd is a recording") &&
		!strchr(said, '\033'), "the_name_of_the_output_is_escaped");
	unit_ok(MERGE(out, paths[0], odd) && strstr(said, "x1b[2Jout was written") &&
		strstr(said, "x1b[2Jodd has none") && !strchr(said, '\033'),
		"names_in_reports_are_escaped");
	truncate(odd, 200);
	unit_ok(MERGE(out, paths[0], odd) && strstr(said, "x1b[2Jodd: ") && !strchr(said, '\033'),
		"the_name_of_a_damaged_recording_is_escaped");
	unit_ok(MERGE("\033/none", paths[0], odd) && strstr(said, "\\x1b/none: ") &&
		!strchr(said, '\033'), "the_name_of_a_missing_directory_is_escaped");
	unlink(odd);
	unlink(out);
}

static void test_option_places(void)
{
	char out[80], *argv[] = { "merge", paths[0], "-o", out, paths[1], NULL };
	char *last[] = { "merge", paths[0], paths[1], "-o", out, NULL };

	snprintf(out, sizeof(out), "%s/out", dir);
	unit_ok(!run_merge(5, argv) && !run_merge(5, last),
		"options_may_be_between_and_after_the_files");
	unit_ok(!strcmp(argv[1], paths[0]) && !strcmp(argv[4], paths[1]),
		"the_command_line_stays_as_it_is");
	unlink(out);
}

static void test_wrong_uses(void)
{
	char out[80], *none[] = { "merge", paths[0], paths[1], NULL };
	struct stat st;

	snprintf(out, sizeof(out), "%s/out", dir);
	unit_ok(run_merge(3, none) == STATUS_USAGE,
		"no_output_is_refused");
	unit_ok(MERGE(out, paths[0]) == STATUS_USAGE && MERGE("-", paths[0], paths[1]) &&
		MERGE(out, paths[0], "-") == STATUS_USAGE, "one_file_and_pipes_are_refused");
	unit_ok(MERGE(out, paths[0], "/nonexistent") == STATUS_FAILED &&
		MERGE(out, "/dev/null", paths[0]) == STATUS_FAILED, "no_recording_fails");
	unit_ok(MERGE(paths[1], paths[0], paths[1]) == STATUS_FAILED && !stat(paths[1], &st) &&
		st.st_size, "an_input_is_not_overwritten");
	truncate(paths[2], st.st_size / 2);
	unit_ok(MERGE(out, paths[0], paths[2]) == STATUS_FAILED && access(out, F_OK),
		"a_truncated_recording_leaves_no_output");
}

/* Merge recordings with wrong bytes. The sanitizers end the test if that reads or writes more. */
static void test_damaged(void)
{
	char out[80], damaged[80];
	struct stat st;
	u32 i, k;
	u8 byte;
	int fd;

	snprintf(out, sizeof(out), "%s/out", dir);
	snprintf(damaged, sizeof(damaged), "%s/damaged", dir);
	srand48(1);
	stat(paths[1], &st);
	for (i = 0; i < 300; i++) {
		make_host(damaged, &b, i % 2);
		fd = open(damaged, O_WRONLY | O_CLOEXEC);
		for (k = 0; k < 1 + i % 8; k++) {
			byte = lrand48();
			pwrite(fd, &byte, 1, lrand48() % st.st_size);
		}
		close(fd);
		MERGE(out, paths[0], damaged);
	}
	unit_ok(true, "damaged_recordings_do_no_harm");
	unlink(out);
	unlink(damaged);
}

int main(void)
{
	static const char *const names[] = { "a", "b", "c", "merged" };

	if (!mkdtemp(dir))
		return 1;
	for (int i = 0; i < 4; i++)
		snprintf(paths[i], sizeof(paths[i]), "%s/%s", dir, names[i]);
	make_host(paths[0], &a, true);
	make_host(paths[1], &b, true);
	make_host(paths[2], &c, true);
	test_hosts();
	test_key();
	test_samples_of_hosts();
	test_records();
	test_again();
	test_missing_symbols();
	test_losses();
	test_no_clock();
	test_jit();
	test_events_without_identifiers();
	test_same_file();
	test_damaged();
	test_left_out();
	test_outputs();
	test_names();
	test_option_places();
	test_wrong_uses();
	for (int i = 0; i < 4; i++)
		unlink(paths[i]);
	rmdir(dir);
	free(said);
	return unit_exit();
}
