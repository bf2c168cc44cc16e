// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - making profiles from records
 *
 * The sampled process is this program. A perf map names its functions, so symbols are
 * read from no other file.
 */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "own_map.h"
#include "perfdata_test.h"
#include "profile/gather.h"
#include "unit.h"

#define MAIN	0x1100
#define MID	0x2100
#define LEAF	0x3100
#define OTHER	0x4100
#define PERIOD	10

static const char functions[] = "1000 1000 main\n2000 1000 mid\n3000 1000 leaf\n4000 1000 other\n";

static struct bytes records;
static u64 now;

/* Add a sample with its call chain, innermost frame first. */
static void add(u32 tid, u32 cpu, const u64 *chain, u64 nr)
{
	const struct test_sample sample = {
		.ip = chain[0], .pid = getpid(), .tid = tid, .time = now++, .cpu = cpu,
		.period = PERIOD,
	};

	make_fields(&records, &sample, 2 + nr);
	bytes_add_u64(&records, nr + 1);
	bytes_add_u64(&records, PERF_CONTEXT_USER);
	bytes_add(&records, chain, nr * sizeof(*chain));
}

#define ADD(tid, cpu, ...)                                               \
	do {                                                             \
		const u64 chain[] = { __VA_ARGS__ };                     \
		add(tid, cpu, chain, ARRAY_SIZE(chain));                 \
	} while (0)

static void add_lost(u64 lost, u16 misc)
{
	struct perf_event_header header = { .type = PERF_RECORD_LOST_SAMPLES, .misc = misc,
					    .size = sizeof(header) + 5 * sizeof(u64) };
	struct record_trailer trailer = { .time = now++, .id = 41 };

	bytes_add(&records, &header, sizeof(header));
	bytes_add_u64(&records, lost);
	record_add_trailer(&records, &trailer);
}

static void make_records(bool with_ledger)
{
	struct record_trailer task = { .pid = getpid(), .tid = 100, .id = 41 };
	struct record_trailer second = { .pid = getpid(), .tid = 200, .id = 41 };
	struct mapping map = { .start = 0x1000, .len = 0x4000, .prot = 5, .name = "//anon" };

	now = FIRST_TIME;
	record_comm(&records, &task, "jit");
	record_comm(&records, &second, "helper");
	record_mmap2(&records, &task, &map);
	for (int i = 0; i < 3; i++)
		ADD(100, 0, LEAF, MID, MAIN);
	ADD(200, 1, OTHER, MAIN);
	ADD(100, 1, MID + 4, MID, MAIN);
	ADD(200, 0, 0x9000);
	add_lost(7, 0);
	add_lost(5, 1 << 15);
	if (with_ledger)
		record_cgroup(&records, &(struct record_trailer){ .time = now, .id = 41 }, 7,
			      TPROF_LX_LEDGER_PREFIX
			      "cpu=0 event=0 taken=9 lost_ring=3 stalls=4 stalled_ns=1500000000 yields=2 doubtful_ns=30 chains_absent=2");
}

/* run() stores its results here. */
static struct gather gather;

static int run(const struct gather_options *options)
{
	struct symbol_options symbols = { 0 };
	static struct feature_set none;
	struct writer writer;
	struct reader reader;
	size_t written;
	int fd = memfd_create("recording", MFD_CLOEXEC), err;

	make_events();
	test_events[0].attr.sample_type |= PERF_SAMPLE_CALLCHAIN;
	/* The format of add_read(). */
	if (options->threads)
		test_events[0].attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
						  PERF_FORMAT_TOTAL_TIME_RUNNING | PERF_FORMAT_ID;
	writer_begin(&writer, fd, false, test_events, 1, &none);
	writer_append(&writer, records.data, records.len, &written);
	writer_end(&writer, &none);
	bytes_free(&records);
	lseek(fd, 0, SEEK_SET);
	if (reader_open(&reader, fd))
		abort();
	err = gather_init(&gather, options, &symbols, &reader);
	if (!err)
		err = gather_all(&gather, &reader);
	if (!err && gather.nr_profiles)
		err = profile_sort(gather.profiles[0], column_find("overhead")->value);
	reader_close(&reader);
	close(fd);
	return err;
}

/* Return the position of the entry @name, or the number of entries if there is none. */
static size_t position_of(const char *name)
{
	const struct profile *profile = gather.profiles[0];
	const struct column *column = gather.options->keys.columns[0];
	char buf[COLUMN_TEXT_LEN];

	size_t at;

	for (at = 0; at < profile->entries.nr; at++) {
		if (!strcmp(column->text(profile_sorted(profile, at).keys[0], buf, sizeof(buf)),
			    name))
			break;
	}
	return at;
}

static struct profile_entry find(const char *name)
{
	const struct profile *profile = gather.profiles[0];
	size_t at = position_of(name);

	return at < profile->entries.nr ? profile_sorted(profile, at) : (struct profile_entry){ 0 };
}

static struct call_node *find_tree(const char *name)
{
	const struct profile *profile = gather.profiles[0];
	size_t at = position_of(name);

	return at < profile->entries.nr ? profile_tree(profile, profile->sorted[at]) : NULL;
}

static bool has(const char *name, u64 samples, u64 children)
{
	struct profile_entry entry = find(name);

	if (!entry.self)
		return !samples && !children;
	return entry.self->samples == samples && entry.self->period == samples * PERIOD &&
	       entry.children->samples == children &&
	       entry.children->period == children * PERIOD;
}

static struct gather_options by(const char *key)
{
	return (struct gather_options){ .keys = { { column_find(key) }, 1 },
					.children = CHILDREN_NO };
}

static void test_flat(void)
{
	struct gather_options options = by("sym");

	make_records(false);
	unit_ok(!run(&options) && gather.samples == 6 && gather.profiles[0]->period == 60,
		"all samples are counted");
	unit_ok(has("leaf", 3, 3) && has("mid", 1, 1) && has("other", 1, 1) && has("main", 0, 0),
		"a sample counts for the function where it was taken");
	unit_ok(has("0x0000000000009000", 1, 1),
		"an address outside of all functions has its own entry");
	unit_ok(!position_of("leaf"),
		"the entry with the most samples comes first");
	unit_ok(gather.unresolved[SYMBOL_FOUND] == 5 && gather.unresolved[SYMBOL_NO_MAPPING] == 1,
		"samples without a symbol are counted by reason");
	unit_ok(losses_sum(&gather.losses) == 7 && gather.losses.filtered == 5,
		"lost samples and filtered samples are counted apart");
	gather_free(&gather);

	options = by("comm");
	make_records(true);
	unit_ok(!run(&options) && has("jit", 4, 4) && has("helper", 2, 2),
		"samples can be summed up by thread name");
	unit_ok(losses_sum(&gather.losses) == 3,
		"the ledger replaces the sum of the loss records");
	unit_ok(gather.losses.cuts[LOSSES_CUT_ABSENT] == 2 && !gather.losses.cuts[LOSSES_CUT_LOST],
		"the ledger says how often call chains were cut, and why");
	unit_ok(gather.losses.stalls == 4 && gather.losses.stalled_ns == 1500000000,
		"the ledger has the stalls, which are not lost samples");
	unit_ok(gather.losses.yields == 2 && gather.losses.doubtful_ns == 30,
		"the ledger says how often another program stopped events");
	gather_free(&gather);
}

static void test_children(void)
{
	struct gather_options options = by("sym");

	options.children = CHILDREN_AUTO;
	make_records(false);
	unit_ok(!run(&options) && gather.children,
		"call chains are used if the recording has them");
	unit_ok(has("main", 0, 5) && has("mid", 1, 4) && has("leaf", 3, 3),
		"a function includes its callees, a recursion once");
	gather_free(&gather);
}

/* Return true if the call tree of @name is the single path @expected ("a;b;c"). */
static bool is_trunk(const char *name, const char *expected)
{
	const struct call_node *tree = find_tree(name), *node = tree ? tree->first : NULL;
	char text[256] = "", buf[COLUMN_TEXT_LEN];

	for (; node && !node->next; node = node->first) {
		strcat(text, symbol_key_text(node->key, buf, sizeof(buf)));
		strcat(text, node->first ? ";" : "");
	}
	return !strcmp(text, expected);
}

static void test_trees(void)
{
	struct gather_options options = by("sym");
	const struct call_node *node;

	options.trees = true;
	make_records(false);
	unit_ok(!run(&options) && is_trunk("leaf", "leaf;mid;main"),
		"a call tree has callees first by default");
	gather_free(&gather);

	options.children = CHILDREN_YES;
	options.callers_first = true;
	make_records(false);
	unit_ok(!run(&options) && is_trunk("leaf", "main;mid;leaf"),
		"a call tree can have callers first");
	call_tree_sort(find_tree("main"));
	node = find_tree("main")->first;
	unit_ok(node->samples == 5 && node->first->samples == 4 && node->first->next->samples == 1,
		"the callees of a function are sorted by samples");
	gather_free(&gather);
}

static void test_paths(void)
{
	struct gather_options options = by("sym");
	const struct call_node *node;

	options.paths = true;
	make_records(false);
	unit_ok(!run(&options) && gather.profiles[0]->paths.samples == 6,
		"the paths have all samples");
	call_tree_sort(&gather.profiles[0]->paths);
	node = gather.profiles[0]->paths.first;
	unit_ok(!strcmp((const char *)(uintptr_t)node->key, "jit") && node->samples == 4,
		"a path begins with the name of the thread");
	while (node->first)
		node = node->first;
	unit_ok(!strcmp((const char *)(uintptr_t)node->key, "leaf") && node->own_samples == 3,
		"a path ends with the sampled function");
	gather_free(&gather);
}

/* Return how many of the samples in @records a filter shows. */
static u64 count_shown(const struct gather_filter *filter)
{
	struct gather_options options = by("sym");
	u64 nr = 0;

	options.filter = *filter;
	if (run(&options))
		return ~0ULL;
	for (size_t i = 0; gather.nr_profiles && i < gather.profiles[0]->entries.nr; i++)
		nr += profile_sorted(gather.profiles[0], i).self->samples;
	gather_free(&gather);
	return nr;
}

static u64 samples_with(const struct gather_filter *filter)
{
	make_records(false);
	return count_shown(filter);
}

/* Return how many samples of a recording with one sample of the kernel a filter shows. */
static u64 samples_beside_kernel(const struct gather_filter *filter)
{
	size_t before;

	make_records(false);
	before = records.len;
	ADD(100, 0, LEAF);
	records.data[before + offsetof(struct perf_event_header, misc)] = PERF_RECORD_MISC_KERNEL;
	return count_shown(filter);
}

static void test_modes(void)
{
	struct gather_filter none = { 0 }, user = { .user_only = true };
	struct gather_filter kernel = { .kernel_only = true };
	u64 all = samples_with(&none);

	unit_ok(all > 1 && samples_beside_kernel(&none) == all + 1 &&
		samples_beside_kernel(&user) == all && samples_beside_kernel(&kernel) == 1,
		"samples can be filtered by mode");
}

static void test_filters(void)
{
	struct gather_filter none = { 0 }, filter;

	filter = (struct gather_filter){ .comms = "nobody,helper" };
	unit_ok(samples_with(&filter) == 2,
		"samples can be filtered by thread name");
	filter = (struct gather_filter){ .syms = "leaf,mid,lea" };
	unit_ok(samples_with(&filter) == 4,
		"samples can be filtered by function");
	filter = (struct gather_filter){ .dsos = "[unknown]" };
	unit_ok(samples_with(&filter) == 1,
		"samples can be filtered by binary");
	filter = none;
	parse_pid_list("200,300", &filter.tids);
	unit_ok(samples_with(&filter) == 2,
		"samples can be filtered by thread");
	parse_pid_list("1", &filter.pids);
	unit_ok(samples_with(&filter) == 0,
		"samples can be filtered by process");
	filter = none;
	parse_cpu_list("1", &filter.cpus);
	unit_ok(samples_with(&filter) == 2, "samples can be filtered by CPU");
	filter = (struct gather_filter){ .from = FIRST_TIME + 1, .to = FIRST_TIME + 3 };
	unit_ok(samples_with(&filter) == 3, "samples can be filtered by time");
}

static void test_exec(void)
{
	struct mapping map = { .start = 0x3000, .len = 0x1000, .prot = 5,
			       .name = "/nonesuch/new" };
	struct record_trailer task = { .pid = getpid(), .tid = 100, .id = 41 };
	struct gather_options options = by("sym");
	size_t before, size;

	make_records(false);
	task.time = now++;
	before = records.len;
	record_comm(&records, &task, "new");
	size = offsetof(struct perf_event_header, misc);
	records.data[before + size + 1] |= PERF_RECORD_MISC_COMM_EXEC >> 8;
	record_mmap2(&records, &task, &map);
	ADD(100, 0, LEAF);
	ADD(100, 0, MID);
	unit_ok(!run(&options) && has("0x0000000000000100", 1, 1) && has("leaf", 3, 3),
		"after an exec a new mapping replaces what it covers");
	unit_ok(has("mid", 2, 2), "after an exec the other old mappings stay");
	gather_free(&gather);
}

/* An address in a guest must not be looked up in the host's mappings. */
static void test_guest(void)
{
	struct gather_options options = by("sym");
	size_t before;

	make_records(false);
	before = records.len;
	ADD(100, 0, LEAF);
	records.data[before + offsetof(struct perf_event_header, misc)] =
		PERF_RECORD_MISC_GUEST_USER;
	unit_ok(!run(&options) && has("leaf", 3, 3) && has("0x0000000000003100", 1, 1),
		"an address in a guest is in no function of the host");
	gather_free(&gather);
}

static void test_events_asked_for(void)
{
	struct gather_options options = by("sym");

	options.filter.events = "nonesuch";
	make_records(false);
	unit_ok(!run(&options) && !gather.samples,
		"an event that does not exist has no samples");
	gather_free(&gather);
}

/* Add a READ record: a thread has counted @value. */
static void add_read(u32 tid, u64 value, u64 id)
{
	struct record_trailer trailer = { .pid = getpid(), .tid = tid, .time = now++, .id = id };
	struct perf_event_header header = {
		.type = PERF_RECORD_READ,
		.size = sizeof(header) + 5 * sizeof(u64) + RECORD_TRAILER_BYTES,
	};

	bytes_add(&records, &header, sizeof(header));
	bytes_add_u32(&records, getpid());
	bytes_add_u32(&records, tid);
	bytes_add_u64(&records, value);
	bytes_add_u64(&records, 0);
	bytes_add_u64(&records, 0);
	bytes_add_u64(&records, id);
	record_add_trailer(&records, &trailer);
}

static void test_threads(void)
{
	struct gather_options options = by("sym");
	const struct thread_count *first, *second;

	options.threads = true;
	make_records(false);
	add_read(200, 7, 41);
	add_read(100, 5, 41);
	add_read(200, 11, 41);
	unit_ok(!run(&options) && !thread_counts_sort(&gather.threads) &&
		gather.threads.table.nr == 2, "each thread has a count");
	first = gather.threads.sorted[0];
	second = gather.threads.sorted[1];
	unit_ok(first->tid == 100 && first->values[0] == 5 && second->tid == 200 &&
		second->values[0] == 18, "the records of a thread are added up");
	unit_ok(!strcmp(first->comm, "jit") && !strcmp(second->comm, "helper") &&
		!strcmp(gather.threads.events[0], gather.profiles[0]->event) &&
		!gather.threads.events[1],
		"counts have the names of threads and events");
	gather_free(&gather);
}

/* Read counts of threads 100 and 200. Return the only thread with a count, or 0. */
static s32 only_thread(const struct gather_options *options)
{
	s32 tid = 0;

	make_records(false);
	add_read(200, 7, 41);
	add_read(100, 5, 41);
	if (!run(options) && !thread_counts_sort(&gather.threads) && gather.threads.table.nr == 1)
		tid = gather.threads.sorted[0]->tid;
	gather_free(&gather);
	return tid;
}

static void test_filters_of_threads(void)
{
	struct gather_options options = by("sym");

	options.threads = true;
	options.filter.tids = (struct pid_list){ .pids = { 200 }, .nr = 1 };
	unit_ok(only_thread(&options) == 200, "a filter of threads takes their counts only");
	options.filter.events = "nonesuch";
	unit_ok(!only_thread(&options), "other events have no counts");
	options.filter.events = NULL;
	options.filter.pids = (struct pid_list){ .pids = { getpid() + 1 }, .nr = 1 };
	unit_ok(!only_thread(&options), "other processes have no counts");
	options = by("sym");
	options.threads = true;
	options.filter.comms = "jit";
	unit_ok(only_thread(&options) == 100, "a filter of names takes the counts of these threads only");
}

int main(void)
{
	own_map_make(functions);
	test_flat();
	test_children();
	test_trees();
	test_paths();
	test_filters();
	test_modes();
	test_exec();
	test_guest();
	test_events_asked_for();
	test_threads();
	test_filters_of_threads();
	own_map_remove();
	return unit_exit();
}
