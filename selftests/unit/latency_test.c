// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - latency: periods divided by the parallelism
 *
 * The sampled process is this program. A perf map names its functions, so symbols are
 * read from no other file.
 */
#include "gather_records.h"
#include "own_map.h"
#include "perfdata/parallelism.h"
#include "profile/cells.h"
#include "profile/latency.h"
#include "unit.h"

#define MAIN	0x1100
#define LEAF	0x2100
#define OTHER	0x3100

static const char functions[] = "1000 1000 main\n2000 1000 leaf\n3000 1000 other\n";

/* A sample in a function that main() has called, or in main(). */
static const struct {
	u64 ip;
	u64 period;
	u64 parallelism;
} all[] = {
	{ MAIN, 100, 1 }, { MAIN, 100, 1 }, { LEAF, 90, 3 }, { LEAF, 10, 3 }, { LEAF, 101, 2 },
	{ OTHER, 1, 4 }, { OTHER, 1, 4 }, { OTHER, 2, 4 }, { OTHER, 7, 0 },
};

static struct gather gather;
static struct message message;
static bool has_mark, has_weight, is_slow;

static void add(struct bytes *out, size_t i)
{
	const struct test_sample sample = {
		.ip = all[i].ip, .pid = getpid(), .tid = getpid(), .time = FIRST_TIME + i,
		.period = all[i].period,
	};
	u64 nr = all[i].ip == MAIN ? 1 : 2;

	make_fields(out, &sample, nr + 2 + has_weight + is_slow);
	bytes_add_u64(out, nr + 1);
	bytes_add_u64(out, PERF_CONTEXT_USER);
	bytes_add_u64(out, all[i].ip);
	if (nr == 2)
		bytes_add_u64(out, MAIN);
	if (has_weight)
		bytes_add_u64(out, all[i].parallelism);
	if (is_slow)
		bytes_add_u64(out, 0);
}

/* Gather the samples, and weigh them if the options want latencies of entries. */
static int run(const struct gather_options *options)
{
	struct record_trailer task = { .pid = getpid(), .tid = getpid(), .id = 41 };
	struct mapping map = { .start = 0x1000, .len = 0x3000, .prot = 5, .name = "//anon" };
	struct bytes records = { 0 };
	size_t i;
	int err;

	make_events();
	test_events[0].attr.sample_type |= PERF_SAMPLE_CALLCHAIN |
					   (has_weight ? PERF_SAMPLE_WEIGHT : 0) |
					   (is_slow ? PERF_SAMPLE_CGROUP : 0);
	if (has_mark)
		parallelism_add_mark(&records, 41, test_events[0].attr.sample_type);
	record_comm(&records, &task, "jit");
	record_mmap2(&records, &task, &map);
	for (i = 0; i < ARRAY_SIZE(all); i++)
		add(&records, i);
	err = gather_records(&gather, options, &records, 1, false, &message);
	if (!err && options->latency && !options->paths)
		err = latency_merge(&gather);
	return err;
}

static struct gather_options by(const char *key, bool latency)
{
	return (struct gather_options){ .keys = { { column_find(key) }, 1 }, .latency = latency,
					.callers_first = true };
}

/* Return the value in @column of the entry of a function, or ~0. */
static u64 value(const char *name, const char *column)
{
	const struct profile *profile = gather.profiles[0];
	char buf[COLUMN_TEXT_LEN];
	struct profile_entry entry;

	for (u32 i = 0; i < profile->entries.nr; i++) {
		entry = entries_at(&profile->entries, i);
		if (!strcmp(column_find("sym")->text(entry.keys[0], buf, sizeof(buf)), name))
			return column_find(column)->value(&entry);
	}
	return ~0ULL;
}

static void test_sums(void)
{
	struct gather_options options = by("sym", true);
	const struct profile *profile;

	unit_ok(!run(&options) && gather.profiles[0]->entries.nr == 3 && gather.keys.nr == 1,
		"the hidden key is removed");
	profile = gather.profiles[0];
	/* 200 + 100/3 + 101/2 + 4/4 + 7 */
	unit_ok(profile->period == 291 && profile->spent == 412 && profile->samples == 9,
		"the latency of all samples has the fractions of each");
	unit_ok(value("main", "latency") == 200 && value("leaf", "latency") == 33 + 50 &&
		value("other", "latency") == 1 + 7,
		"latencies of a group are divided once; parallelism 0 counts as 1");
	unit_ok(value("leaf", "overhead") == 201 && value("leaf", "period") == 201 &&
		value("leaf", "samples") == 3 && value("other", "self") == 11,
		"periods and samples stay as they are");
	unit_ok(value("main", "children-latency") == 291 && value("main", "children") == 412,
		"callers have the latencies of their callees");
	unit_ok(profile_whole(profile, column_find("latency")) == 291 &&
		profile_whole(profile, column_find("overhead")) == 412,
		"each percentage refers to the sum of its kind");
	unit_ok(profile_interval(profile, 103).low == interval_of(25, 9).low,
		"confidence intervals are those of overheads");
	gather_free(&gather);
}

/* Return the period of the node on the path of @nr functions below the tree of an entry. */
static u64 node_period(const char *name, const u64 *path, size_t nr)
{
	const struct profile *profile = gather.profiles[0];
	const struct call_node *node = NULL;
	char buf[COLUMN_TEXT_LEN];

	for (u32 i = 0; i < profile->entries.nr && !node; i++) {
		if (!strcmp(column_find("sym")->text(entries_keys(&profile->entries, i)[0], buf,
						     sizeof(buf)), name))
			node = profile_tree(profile, i);
	}
	while (node && nr--) {
		node = node->first;
		while (node && symbol_key_function(node->key)->start != *path)
			node = node->next;
		path++;
	}
	return node ? node->period : ~0ULL;
}

static void test_trees(void)
{
	static const u64 path[] = { 0x1000, 0x2000 };
	struct gather_options options = by("sym", true);

	options.trees = true;
	unit_ok(!run(&options) && node_period("leaf", path, 1) == 83 &&
		node_period("leaf", path, 2) == 83 && node_period("main", path, 1) == 291,
		"call trees have latencies");
	gather_free(&gather);
}

static void test_paths(void)
{
	struct gather_options options = { .paths = true, .latency = true, .callers_first = true };
	const struct call_node *node;
	u64 sum = 0;

	unit_ok(!run(&options), "paths are gathered");
	for (node = gather.profiles[0]->paths.first; node; node = node->next)
		sum += node->period;
	/* 200 + 30 + 10/3 + 101/2 + 4/4 + 7 */
	unit_ok(sum == 291, "in paths, the fractions of latencies are added up");
	gather_free(&gather);
}

static void test_key(void)
{
	struct gather_options options = by("parallelism", false);

	unit_ok(!run(&options) && gather.profiles[0]->entries.nr == 4,
		"samples are grouped by parallelism");
	gather_free(&gather);
	options.latency = true;
	unit_ok(!run(&options) && gather.profiles[0]->entries.nr == 4 && gather.keys.nr == 1 &&
		gather.profiles[0]->period == 291, "the key stays if the user has chosen it");
	gather_free(&gather);
}

static void test_refusals(void)
{
	struct gather_options options = by("sym", true), key = by("parallelism", false);

	has_mark = false;
	unit_ok(run(&options) == -ENODATA && strstr(message.text, "record them with --latency"),
		"weights without a mark are no parallelism");
	gather_free(&gather);
	unit_ok(run(&key) == -ENODATA && strstr(message.text, "record them with --latency"),
		"nor for the key");
	gather_free(&gather);
	has_mark = true;
	has_weight = false;
	unit_ok(run(&options) == -ENODATA && strstr(message.text, "record them with --latency"),
		"a mark without weights is ignored");
	gather_free(&gather);
}

static void test_rounding(void)
{
	struct latency_sum sum = { 0 };
	double rest = 0;
	u64 singly = 0;

	unit_ok(latency_of(~0ULL, 1, &rest) == ~0ULL && latency_of(5, ~0ULL, &rest) == 0,
		"latencies have all bits");
	for (int i = 0; i < 1000; i++) {
		latency_add(&sum, 1, 8);
		singly += latency_of(1, i % 2 ? 2 : 4, &rest);
	}
	unit_ok(latency_whole(&sum) == 125, "sums are not rounded");
	unit_ok(singly == 375 || singly == 374, "a fraction of a sample is added to a later one");
}

int main(void)
{
	own_map_make(functions);
	has_mark = true;
	has_weight = true;
	/* A field after the weight lets samples be counted one by one. */
	for (int i = 0; i < 2; i++, is_slow = true) {
		test_sums();
		test_trees();
		test_paths();
		test_key();
	}
	is_slow = false;
	test_refusals();
	test_rounding();
	own_map_remove();
	return unit_exit();
}
