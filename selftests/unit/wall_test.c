// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - adding up the times on and off CPU
 *
 * The sampled process is this program. A perf map names its functions, so symbols are
 * read from no other file.
 */
#include <linux/tprof_lx.h>

#include "gather_records.h"
#include "own_map.h"
#include "unit.h"

#define MAIN	0x1100
#define LEAF	0x2100
#define WAIT	0x3100

/* Indexes of test_events. */
enum { ON, OFF };

static const char functions[] = "1000 1000 main\n2000 1000 leaf\n3000 1000 wait\n";

static struct bytes records;
static u64 now;
static bool has_chains = true;

/* run() stores its results here. */
static struct gather gather;
static struct message message;

/* Add a sample in main(), or in a function that main() has called. @state is that of a wait. */
static void add(int event, u64 ip, u64 period, u32 state)
{
	u64 nr = ip == MAIN ? 1 : 2, nr_words = has_chains ? nr + 2 : 0;
	const struct test_sample sample = {
		.event = event, .ip = ip, .pid = getpid(), .tid = getpid(), .time = now++,
		.period = period,
	};

	make_fields(&records, &sample, nr_words + (event == OFF));
	if (has_chains) {
		bytes_add_u64(&records, nr + 1);
		bytes_add_u64(&records, PERF_CONTEXT_USER);
		bytes_add_u64(&records, ip);
		if (ip != MAIN)
			bytes_add_u64(&records, MAIN);
	}
	if (event != OFF)
		return;
	bytes_add_u32(&records, sizeof(state));
	bytes_add_u32(&records, state);
}

static void make_two_events(void)
{
	struct perf_event_attr *off = &test_events[OFF].attr;

	make_events();
	test_events[ON].attr.sample_type |= PERF_SAMPLE_CALLCHAIN;
	test_events[OFF].name = "off-cpu";
	off->type = PERF_TYPE_RAW;
	off->config = TPROF_LX_SOFT_OFF_CPU;
	off->freq = 0;
	off->sample_period = 1;
	off->sample_type |= PERF_SAMPLE_RAW;
}

static void make_records(void)
{
	struct record_trailer task = { .pid = getpid(), .tid = getpid(), .id = 41 };
	struct mapping map = { .start = 0x1000, .len = 0x3000, .prot = 5, .name = "//anon" };

	now = FIRST_TIME;
	record_comm(&records, &task, "jit");
	record_mmap2(&records, &task, &map);
	add(ON, LEAF, 10, 0);
	add(ON, LEAF, 20, 0);
	add(ON, WAIT, 5, 0);
	add(OFF, WAIT, 100, 'S');
	add(OFF, WAIT, 200, 'D');
	add(OFF, LEAF, 400, 'R');
	add(OFF, WAIT, 800, 0);
	add(OFF, MAIN, 1600, 'S');
}

/* Read the records, and call wall_merge() if @wall. Return the error of either. */
static int run(const struct gather_options *options, bool wall)
{
	return gather_records(&gather, options, &records, NR_EVENTS, wall, &message);
}

static const struct profile *only_profile(void)
{
	const struct profile *profile = NULL;

	for (u32 i = 0; i < gather.nr_profiles; i++) {
		if (!gather.profiles[i])
			continue;
		if (profile)
			return NULL;
		profile = gather.profiles[i];
	}
	return profile;
}

/* Return the number of the entry @name of the only profile, or ~0 if there is none. */
static u32 find(const char *name)
{
	const struct column *column = gather.options->keys.columns[0];
	const struct profile *profile = only_profile();
	char buf[COLUMN_TEXT_LEN];

	for (u32 i = 0; profile && i < profile->entries.nr; i++) {
		if (!strcmp(column->text(entries_keys(&profile->entries, i)[0], buf,
					 sizeof(buf)), name))
			return i;
	}
	return ~0U;
}

static u64 value(const char *name, const char *column)
{
	u32 number = find(name);
	struct profile_entry entry;

	if (number == ~0U)
		return ~0ULL;
	entry = entries_at(&only_profile()->entries, number);
	return column_find(column)->value(&entry);
}

static struct gather_options by(const char *key)
{
	return (struct gather_options){ .keys = { { column_find(key) }, 1 } };
}

static void test_sums(void)
{
	struct gather_options options = by("sym");

	make_two_events();
	make_records();
	unit_ok(!run(&options, true) && only_profile() && only_profile()->period == 3135 &&
		only_profile()->off_period == 3100 && only_profile()->samples == 8,
		"the profiles of both events become one");
	unit_ok(value("leaf", "on") == 30 && value("leaf", "off") == 400 &&
		value("leaf", "total") == 430 && value("wait", "on") == 5 &&
		value("wait", "off") == 1100,
		"a function has its time on and off CPU");
	unit_ok(value("main", "total") == 1600 && value("main", "children-on") == 35 &&
		value("main", "children-off") == 3100 && value("main", "children-total") == 3135,
		"a caller has the times of its callees");
	gather_free(&gather);
}

/* Return true if @node has this name and period, and no sibling. */
static bool is_only(const struct call_node *node, const char *name, u64 period)
{
	char buf[COLUMN_TEXT_LEN];

	return node && !node->next && node->period == period &&
	       !strcmp(symbol_key_text(node->key, buf, sizeof(buf)), name);
}

static void test_trees(void)
{
	struct gather_options options = by("sym");
	struct call_node *tree, *node;

	options.trees = true;
	options.callers_first = true;
	options.children = CHILDREN_YES;
	make_records();
	unit_ok(!run(&options, true) && find("main") != ~0U, "trees can be merged");
	tree = profile_tree(only_profile(), find("main"));
	call_tree_sort(tree);
	unit_ok(is_only(tree->first, "main", 3135), "each path is there once");
	/* The callees of main(), by period: its own wait, wait() and leaf(). */
	node = tree->first->first;
	unit_ok(node->period == 1600 && !node->first && node->own_samples == 1 &&
		is_only(node->next->first, "[off-CPU]", 1100),
		"time off CPU is a leaf of the tree");
	unit_ok(call_node_own_period(node->next) == 5 &&
		call_node_own_period(node->next->next) == 30 &&
		is_only(node->next->next->first, "[off-CPU]", 400),
		"time on CPU stays in the function");
	gather_free(&gather);

	options.callers_first = false;
	make_records();
	unit_ok(!run(&options, true) && find("wait") != ~0U, "so can inverted trees");
	tree = profile_tree(only_profile(), find("wait"));
	call_tree_sort(tree);
	unit_ok(tree->period == 1105 && tree->first->period == 1100 &&
		is_only(tree->first->first, "wait", 1100) &&
		is_only(tree->first->first->first, "main", 1100) &&
		is_only(tree->first->next, "wait", 5),
		"with the callee first, time off CPU is the root");
	gather_free(&gather);
}

static void test_paths(void)
{
	struct gather_options options = by("sym");
	const struct call_node *node;

	options.paths = true;
	make_records();
	unit_ok(!run(&options, true) && only_profile()->paths.period == 3135,
		"whole paths can be merged");
	call_tree_sort(&gather.profiles[0]->paths);
	/* The thread, then main(), then main's own wait. */
	node = only_profile()->paths.first->first->first;
	unit_ok(!strcmp((const char *)(uintptr_t)node->key, "[off-CPU]") &&
		call_node_own_period(node) == 1600 && node->own_samples == 1,
		"a path of time off CPU ends in a mark");
	gather_free(&gather);
}

/* Without call chains, both tallies of an entry are the same one: see entries.is_flat. */
static void test_flat(void)
{
	struct gather_options options = by("sym");
	const struct call_node *node;

	has_chains = false;
	for (size_t i = 0; i < NR_EVENTS; i++)
		test_events[i].attr.sample_type &= ~(u64)PERF_SAMPLE_CALLCHAIN;
	make_records();
	unit_ok(!run(&options, true) && value("leaf", "total") == 430 &&
		value("leaf", "children-total") == 430 && value("main", "children-off") == 1600 &&
		value("wait", "on") == 5 && value("wait", "children-off") == 1100,
		"without call chains, each time is added once");
	gather_free(&gather);

	options.paths = true;
	make_records();
	unit_ok(!run(&options, true) && only_profile()->paths.period == 3135 &&
		!only_profile()->entries.nr, "without call chains, whole paths can be merged");
	call_tree_sort(&gather.profiles[0]->paths);
	node = only_profile()->paths.first->first;
	unit_ok(!strcmp((const char *)(uintptr_t)node->key, "main") && !node->own_samples &&
		!strcmp((const char *)(uintptr_t)node->first->key, "[off-CPU]") &&
		node->first->own_samples == 1 && call_node_own_period(node->first) == 1600,
		"without call chains, a path of time off CPU ends in a mark");
	gather_free(&gather);
	has_chains = true;
	make_two_events();
}

static void test_states(void)
{
	static const char *const states[] = { "sleeping", "uninterruptible", "runnable",
					      "unknown", "running" };
	static const u64 periods[] = { 1700, 200, 400, 800, 35 };
	struct gather_options options = by("state");
	bool are_ok;

	for (int trees = 0; trees < 2; trees++) {
		options.trees = trees;
		make_records();
		are_ok = !run(&options, true);
		for (size_t i = 0; i < ARRAY_SIZE(states); i++)
			are_ok &= value(states[i], "total") == periods[i];
		unit_ok(are_ok && only_profile()->entries.nr == ARRAY_SIZE(states),
			trees ? "time is added up by state with trees" :
				"time is added up by state");
		gather_free(&gather);
	}
}

static bool is_refused(const char *text)
{
	struct gather_options options = by("sym");
	bool is_ok;

	make_records();
	is_ok = run(&options, true) == -EINVAL && strstr(message.text, text);
	gather_free(&gather);
	return is_ok;
}

static void test_refusals(void)
{
	struct gather_options options = by("sym");

	test_events[ON].attr.type = PERF_TYPE_HARDWARE;
	unit_ok(is_refused("does not measure time"), "an event that is no clock is refused");
	options.filter.events = "off-cpu";
	make_records();
	unit_ok(!run(&options, true) && only_profile()->period == 3100 &&
		value("leaf", "on") == 0 && value("leaf", "off") == 400,
		"but it can be left out");
	gather_free(&gather);

	make_two_events();
	test_events[OFF].attr.type = PERF_TYPE_SOFTWARE;
	test_events[OFF].attr.config = PERF_COUNT_SW_CPU_CLOCK;
	unit_ok(is_refused("same time"), "two clocks are refused");
	make_two_events();
	options.filter.events = test_events[ON].name;
	make_records();
	unit_ok(run(&options, true) == -EINVAL && strstr(message.text, "--off-cpu"),
		"a recording without time off CPU is refused");
	gather_free(&gather);
}

int main(void)
{
	own_map_make(functions);
	test_sums();
	test_trees();
	test_paths();
	test_flat();
	test_states();
	test_refusals();
	own_map_remove();
	return unit_exit();
}
