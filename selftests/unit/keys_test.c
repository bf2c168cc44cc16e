// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - the keys cgroup, thread, time, weight and parent
 */
#include <string.h>

#include "gather_records.h"
#include "own_map.h"
#include "unit.h"

#define MAIN	0x1100
#define MID	0x2100
#define LEAF	0x3100

static const char functions[] = "1000 1000 main\n2000 1000 mid\n3000 1000 leaf\n";

/* A sample of one event, with the fields that keys read. */
struct taken {
	u32	tid;
	u64	ms;
	u64	weight;
	u64	cgroup;
	u64	chain[3];
	u64	nr;
};

/* The weights have a latency in their upper half. */
static const struct taken all[] = {
	{ 100, 1, 7ULL << 32 | 30, 1, { LEAF, MID, MAIN }, 3 },
	{ 100, 9, 8ULL << 32 | 30, 1, { LEAF, MID, MAIN }, 3 },
	{ 20, 12, 40, 2, { LEAF, MAIN }, 2 },
	{ 20, 13, 40, 3, { MAIN }, 1 },
	{ 20, 31, 40, 2, { 0x9000 }, 1 },
};

static struct gather gather;
static struct message message;

static void add(struct bytes *out, const struct taken *taken)
{
	const struct test_sample sample = {
		.ip = taken->chain[0], .pid = getpid(), .tid = taken->tid,
		.time = FIRST_TIME + taken->ms * NSEC_PER_MSEC, .period = 1,
	};
	u64 i;

	make_fields(out, &sample, 2 + taken->nr + 2);
	bytes_add_u64(out, taken->nr + 1);
	bytes_add_u64(out, PERF_CONTEXT_USER);
	for (i = 0; i < taken->nr; i++)
		bytes_add_u64(out, taken->chain[i]);
	bytes_add_u64(out, taken->weight);
	bytes_add_u64(out, taken->cgroup);
}

/* Gather the samples, with weights of form @weight, into @gather. */
static int run(const struct gather_options *options, u64 weight)
{
	struct record_trailer task = { .pid = getpid(), .tid = 100, .id = 41 };
	struct record_trailer other = { .pid = getpid(), .tid = 20, .id = 41 };
	struct mapping map = { .start = 0x1000, .len = 0x4000, .prot = 5, .name = "//anon" };
	struct bytes records = { 0 };
	size_t i;
	int err;

	make_events();
	test_events[0].attr.sample_type |= PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_CGROUP | weight;
	record_comm(&records, &task, "jit");
	record_comm(&records, &other, "helper");
	record_cgroup(&records, &task, 1, "/first");
	record_cgroup(&records, &task, 2, "/old");
	record_cgroup(&records, &task, 2, "/second\n");
	record_cgroup(&records, &task, 1, TPROF_LX_LEDGER_PREFIX "cpu=0 event=0 taken=5");
	record_mmap2(&records, &task, &map);
	for (i = 0; i < ARRAY_SIZE(all); i++)
		add(&records, &all[i]);
	err = gather_records(&gather, options, &records, 1, false, &message);
	if (!err)
		err = profile_sort(gather.profiles[0], column_find("overhead")->value);
	return err;
}

/*
 * Return true if the rows by key @options->keys are @expected: the samples and the text of
 * each, with a comma after it.
 */
static bool are_rows(const struct gather_options *options, const char *expected)
{
	const struct column *column = options->keys.columns[0];
	char buf[COLUMN_TEXT_LEN], text[512] = "";
	struct profile_entry entry;
	size_t len = 0, i;
	int err = run(options, PERF_SAMPLE_WEIGHT_STRUCT);

	for (i = 0; !err && i < gather.profiles[0]->entries.nr; i++) {
		entry = profile_sorted(gather.profiles[0], i);
		len += snprintf(text + len, sizeof(text) - len, "%llu ",
				entry.self->samples);
		if (column->text)
			len += snprintf(text + len, sizeof(text) - len, "%s,",
					column->text(entry.keys[0], buf, sizeof(buf)));
		else
			len += snprintf(text + len, sizeof(text) - len, "%llu,", entry.keys[0]);
	}
	gather_free(&gather);
	if (!strcmp(text, expected))
		return true;
	printf("# %d, %s instead of %s\n", err, text, expected);
	return false;
}

static struct gather_options by(const char *key)
{
	return (struct gather_options){ .keys = { { column_find(key) }, 1 },
					.children = CHILDREN_NO };
}

static void test_cgroups(void)
{
	struct gather_options options = by("cgroup");

	unit_ok(are_rows(&options, "2 /first,2 /second\n,1 [unknown],"),
		"the last path of a cgroup counts, and no data of tprof-lx");
	options.trees = true;
	unit_ok(are_rows(&options, "2 /first,2 /second\n,1 [unknown],"),
		"samples have their cgroups with call trees, too");
}

static void test_threads(void)
{
	struct gather_options options = by("thread");

	options.filter.comms = "jit,helper";
	unit_ok(are_rows(&options, "3 20:helper,2 100:jit,"), "threads have id and name");
	options.filter.syms = "main,leaf";
	parse_pid_list("20", &options.filter.tids);
	unit_ok(are_rows(&options, "2 20:helper,"), "filters leave out threads");
}

static void test_weights(void)
{
	struct gather_options options = by("weight");

	unit_ok(are_rows(&options, "3 40,2 30,"), "the weight is the first half of a structure");
	unit_ok(!run(&options, PERF_SAMPLE_WEIGHT) && gather.profiles[0]->entries.nr == 3,
		"a weight alone has 64 bits");
	gather_free(&gather);
	unit_ok(run(&options, 0) == -ENODATA && strstr(message.text, "weight"),
		"samples without a weight are an error");
	gather_free(&gather);
}

static void test_times(void)
{
	struct gather_options options = by("time");

	options.slice = 10 * NSEC_PER_MSEC;
	unit_ok(are_rows(&options, "2 5.000000,2 5.010000,1 5.030000,"),
		"a slice has the samples of its time");
	options.trees = true;
	unit_ok(are_rows(&options, "2 5.000000,2 5.010000,1 5.030000,"),
		"slices are the same with call trees");
	options.slice = NSEC_PER_SEC;
	unit_ok(are_rows(&options, "5 5.000000,"), "slices have the chosen length");
}

static void test_parents(void)
{
	struct gather_options options = by("parent");
	regex_t pattern;

	if (regcomp(&pattern, "^(mid|main)$", REG_EXTENDED | REG_NOSUB))
		abort();
	options.parent = &pattern;
	unit_ok(are_rows(&options, "2 main,2 mid,1 [other],"),
		"the innermost function that matches is the parent");
	options.children = CHILDREN_YES;
	options.trees = true;
	unit_ok(are_rows(&options, "2 main,2 mid,1 [other],"),
		"callers have the parent of their sample");
	options = by("parent");
	options.keys.columns[options.keys.nr++] = column_find("weight");
	options.parent = &pattern;
	unit_ok(are_rows(&options, "2 main,2 mid,1 [other],"),
		"samples that are counted one by one have parents, too");
	regfree(&pattern);
}

int main(void)
{
	own_map_make(functions);
	test_cgroups();
	test_threads();
	test_weights();
	test_times();
	test_parents();
	own_map_remove();
	return unit_exit();
}
