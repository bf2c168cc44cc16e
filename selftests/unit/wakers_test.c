// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - joining waits with the wakeups that ended them
 *
 * The sampled process is this program. A perf map names its functions, so symbols are
 * read from no other file.
 */
#include <linux/tprof_lx.h>

#include "gather_records.h"
#include "own_map.h"
#include "profile/gather.h"
#include "unit.h"

#define MAIN	0x1100
#define WAKE	0x2100
#define WAIT	0x3100

#define SLEEPER	7
#define WAKER	8

/* Indexes of test_events. */
enum { WAKEUP, OFF };

static const char functions[] = "1000 1000 main\n2000 1000 wake\n3000 1000 wait\n";

static struct bytes records;
static u64 now;

/* run() stores its results here. */
static struct gather gather;

/* Add a sample of thread @tid in a function that main() has called. */
static void add(int event, u32 tid, u64 ip, u64 period, u32 raw)
{
	const struct test_sample sample = {
		.event = event, .ip = ip, .pid = getpid(), .tid = tid, .time = now++,
		.period = period,
	};

	make_fields(&records, &sample, 5);
	bytes_add_u64(&records, 3);
	bytes_add_u64(&records, PERF_CONTEXT_USER);
	bytes_add_u64(&records, ip);
	bytes_add_u64(&records, MAIN);
	bytes_add_u32(&records, sizeof(raw));
	bytes_add_u32(&records, raw);
}

static void set_event(int event, const char *name, u64 config)
{
	struct perf_event_attr *attr = &test_events[event].attr;

	test_events[event].name = name;
	attr->type = PERF_TYPE_RAW;
	attr->config = config;
	attr->freq = 0;
	attr->sample_period = 1;
	attr->sample_type |= PERF_SAMPLE_RAW | PERF_SAMPLE_CALLCHAIN;
}

static void make_two_events(void)
{
	make_events();
	set_event(WAKEUP, "wakeups", TPROF_LX_SOFT_WAKEUPS);
	set_event(OFF, "off-cpu", TPROF_LX_SOFT_OFF_CPU);
}

static void add_thread(u32 tid, const char *name)
{
	struct record_trailer task = { .pid = getpid(), .tid = tid, .id = 41 };

	record_comm(&records, &task, name);
}

static void make_records(void)
{
	struct record_trailer task = { .pid = getpid(), .tid = getpid(), .id = 41 };
	struct mapping map = { .start = 0x1000, .len = 0x3000, .prot = 5, .name = "//anon" };

	now = FIRST_TIME;
	add_thread(SLEEPER, "sleeper");
	add_thread(WAKER, "waker");
	record_mmap2(&records, &task, &map);
	/* Nothing woke it in the recording. */
	add(OFF, SLEEPER, WAIT, 1, 'S');
	/* The last of two wakeups counts. */
	add(WAKEUP, SLEEPER, MAIN, 1, SLEEPER);
	add(WAKEUP, WAKER, WAKE, 1, SLEEPER);
	add(WAKEUP, SLEEPER, WAKE, 1, WAKER);
	add(OFF, SLEEPER, WAIT, 10, 'S');
	/* Each wakeup counts once. */
	add(OFF, SLEEPER, WAIT, 100, 'D');
	/* A thread that waits for a CPU is not woken, but may have been before it waited. */
	add(WAKEUP, WAKER, WAKE, 1, SLEEPER);
	add(OFF, SLEEPER, WAIT, 1000, 'R');
	add(OFF, SLEEPER, WAIT, 10000, 'S');
	add(OFF, WAKER, MAIN, 100000, 'S');
}

/* Read the records, and call wall_merge() if @wall. Return the error of either. */
static int run(const struct gather_options *options, bool wall)
{
	struct message message;

	make_records();
	return gather_records(&gather, options, &records, NR_EVENTS, wall, &message);
}

static struct gather_options by(const char *key)
{
	return (struct gather_options){ .keys = { { column_find(key) }, 1 },
					.wakers = true, .callers_first = true };
}

/* Return the sum of periods of an entry of off-cpu, or 0 if there is none. */
static u64 sum_of(const char *name, bool children)
{
	const struct column *column = gather.options->keys.columns[0];
	const struct profile *profile = gather.profiles[OFF];
	struct profile_entry entry;
	char buf[COLUMN_TEXT_LEN];

	for (u32 i = 0; i < profile->entries.nr; i++) {
		entry = entries_at(&profile->entries, i);
		if (!strcmp(column->text(entry.keys[0], buf, sizeof(buf)), name))
			return children ? entry.children->period : entry.self->period;
	}
	return 0;
}

static void test_names(void)
{
	struct gather_options options = by("waker");

	for (int trees = 0; trees < 2; trees++) {
		options.trees = trees;
		unit_ok(!run(&options, false) && !gather.profiles[WAKEUP] && gather.samples == 6,
			"only time off CPU is counted");
		unit_ok(sum_of("waker", false) == 10, "the last wakeup ends a wait");
		unit_ok(sum_of("sleeper", false) == 100000, "each thread has its own waker");
		unit_ok(sum_of("[not woken]", false) == 1000, "a wait for a CPU has no waker");
		unit_ok(sum_of("[unknown]", false) == 10101, "a wakeup ends one wait");
		gather_free(&gather);
	}
}

static const struct call_node *child_of(const struct call_node *node, const char *name)
{
	char buf[COLUMN_TEXT_LEN];

	for (node = node ? node->first : NULL; node; node = node->next) {
		if (!strcmp(symbol_key_text(node->key, buf, sizeof(buf)), name))
			return node;
	}
	return NULL;
}

static void test_trees(void)
{
	struct gather_options options = by("sym");
	const struct call_node *node = NULL;

	options.trees = true;
	options.children = CHILDREN_YES;
	unit_ok(!run(&options, false) && !sum_of("wake", true) && sum_of("main", true) == 111111,
		"functions of wakers do not wait");
	for (u32 i = 0; i < gather.profiles[OFF]->entries.nr && !node; i++)
		node = child_of(child_of(profile_tree(gather.profiles[OFF], i), "main"), "wait");
	unit_ok(node && node->period == 11111, "a wait is in its function");
	node = child_of(node, "[woken by waker]");
	unit_ok(node && node->period == 10, "below it is the waker");
	node = child_of(child_of(node, "wake"), "main");
	unit_ok(node && !node->first && node->own_samples == 1,
		"below that are the callers of the waker");
	gather_free(&gather);
}

static const struct call_node *name_below(const struct call_node *node, const char *name)
{
	for (node = node ? node->first : NULL; node; node = node->next) {
		if (!strcmp((const char *)(uintptr_t)node->key, name))
			return node;
	}
	return NULL;
}

static void test_paths(void)
{
	static const char *const path[] = { "sleeper", "main", "wait", "[woken by waker]", "wake",
					    "main" };
	struct gather_options options = by("sym");
	const struct call_node *node;

	options.paths = true;
	node = run(&options, false) ? NULL : &gather.profiles[OFF]->paths;
	for (size_t i = 0; i < ARRAY_SIZE(path); i++)
		node = name_below(node, path[i]);
	unit_ok(node && node->period == 10, "a path goes from the sleeper to the waker's callers");
	gather_free(&gather);
}

static void test_wall(void)
{
	struct gather_options options = by("sym");

	options.wakers = false;
	unit_ok(!run(&options, true) && gather.profiles[WAKEUP]->period == 111111 &&
		!gather.profiles[OFF], "times are added up without wakeups");
	gather_free(&gather);
}

int main(void)
{
	own_map_make(functions);
	make_two_events();
	test_names();
	test_trees();
	test_paths();
	test_wall();
	own_map_remove();
	return unit_exit();
}
