// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - walks of the user's stack by unwind tables, malicious ones included
 *
 * The user's memory is an array of words. The functions of the tested object are numbers: the
 * object is mapped at CODE, and a table by hand says what each does to its stack.
 */
#include <stdlib.h>
#include <string.h>

#include "table_by_hand.h"
#include "unit.h"
#include "walk_task.h"

void (*tprof_test_interrupt)(void);

#define CODE		0x555500000000UL
#define MAX_FRAMES	64
#define MAX_WORDS	(MAX_FRAMES + TPROF_WALK_MAX_MARKS)
#define ARRAY_LEN(array)	(sizeof(array) / sizeof((array)[0]))

static const struct tprof_table *slot = &by_hand;

static const struct tprof_map_entry entries[] = {
	{ .start = CODE - 0x1000, .end = CODE, .offset = 0 },
	{ .start = CODE, .end = CODE + 0x30000, .offset = 0x10000, .table = &slot },
	{ .start = CODE + 0x40000, .end = CODE + 0x50000, .offset = 0x10000 },
};

static const struct tprof_map map = { .entries = entries, .nr = ARRAY_LEN(entries) };

/* An address in the function of @rule. */
static unsigned long in(u32 rule)
{
	return CODE + rule * 256 + 16;
}

static struct tprof_walk begin(const struct task *task, unsigned long ip)
{
	return task_walk(&map, task, ip);
}

static bool are_same = true;

/*
 * Walk from @ip with rsp = STACK. Write at most @room callers, and marks; return the number of
 * words. Two walks by cached rules, the first of which may find none, must be the same.
 */
static size_t walk_from(struct tprof_walk *walk, struct task *task, unsigned long ip,
			u64 *callers, size_t room)
{
	u64 again[MAX_WORDS];
	size_t nr;

	task->registers[TPROF_LX_UNWIND_RSP] = STACK;
	*walk = begin(task, ip);
	nr = tprof_walk_callers(walk, &test_access, task, callers, callers + room) - callers;
	for (int i = 0; i < 2; i++) {
		struct tprof_walk other = begin(task, ip);
		unsigned long reads = task->reads;

		are_same &= walk_by_cache(&other, task, again, room) == nr &&
			    !memcmp(again, callers, nr * sizeof(*again)) &&
			    is_same_end(walk, &other);
		task->reads = reads;
	}
	return nr;
}

static void test_rows(void)
{
	const struct tprof_table *table = &by_hand;

	unit_ok(!tprof_table_find(table, 0xffff), "address before the table has no rule");
	unit_ok(tprof_table_find(table, 0x10000) == &rules[0], "first address of a row has its rule");
	unit_ok(tprof_table_find(table, 0x100ff) == &rules[0], "last address of a row has its rule");
	unit_ok(tprof_table_find(table, 0x10100) == &rules[1], "next address has the next rule");
	unit_ok(tprof_table_find(table, 0x1ffff) == &rules[NR_RULES - 1],
		"last row of a page holds up to the end of the page");
	unit_ok(!tprof_table_find(table, 0x20000), "page without rows has no rule");
	unit_ok(tprof_table_find(table, 0x30000) == &rules[RULE_LEAF], "page begins within a row");
	unit_ok(tprof_table_find(table, 0x3ffff) == &rules[RULE_END], "last address has its rule");
	unit_ok(!tprof_table_find(table, 0x40000), "address after the table has no rule");
	unit_ok(!tprof_table_find(table, ~0ULL), "highest address has no rule");
}

static void test_map(void)
{
	static const struct tprof_map empty = { .entries = entries };

	unit_ok(!tprof_map_find(&map, CODE - 0x1001), "address before all mappings");
	unit_ok(tprof_map_find(&map, CODE - 1) == &entries[0], "last address of a mapping");
	unit_ok(tprof_map_find(&map, CODE) == &entries[1], "first address of a mapping");
	unit_ok(!tprof_map_find(&map, CODE + 0x30000), "address between mappings");
	unit_ok(tprof_map_find(&map, CODE + 0x4ffff) == &entries[2], "last mapping");
	unit_ok(!tprof_map_find(&map, ~0UL), "address after all mappings");
	unit_ok(!tprof_map_find(&empty, CODE), "address space without mappings");
}

/* leaf() is called by small(), that by a function with a frame pointer, and that by an end. */
static void test_calls(void)
{
	struct task task = { .words = {
		in(RULE_SMALL),
		0, STACK + 8 * 8, in(RULE_BP),
		0, 0, 0, 0,
		0x1234, in(RULE_END),
	} };
	struct tprof_walk walk;
	u64 callers[MAX_WORDS];

	task.registers[TPROF_LX_UNWIND_RBP] = 0xdead;
	unit_ok(walk_from(&walk, &task, in(RULE_LEAF), callers, MAX_FRAMES) == 3 &&
		callers[0] == in(RULE_SMALL) && callers[1] == in(RULE_BP) &&
		callers[2] == in(RULE_END), "callers are exact without frame pointers");
	unit_ok(walk.is_whole && !walk.end.cuts, "chain reaches an outermost frame");
	unit_ok(walk.by_table == 3 && !walk.by_frame, "steps by table are counted");
	unit_ok(walk.sp == STACK + 10 * 8 && walk.bp == 0x1234, "registers are those of the end");
	unit_ok(walk_from(&walk, &task, in(RULE_LEAF), callers, 2) == 2 &&
		walk.end.cuts == BIT(TPROF_CHAIN_DEEP), "chain has its maximum length");
	unit_ok(walk_from(&walk, &task, in(RULE_LEAF), callers, 3) == 3 && !walk.end.cuts,
		"chain of exactly the maximum length is not cut");
}

/* A call may be the last instruction of a function. */
static void test_last_call(void)
{
	struct task task = { .words = { CODE + RULE_SMALL * 256, 0, 0, in(RULE_END) } };
	struct tprof_walk walk;
	u64 callers[MAX_WORDS];

	/* The rule of the preceding function is RULE_LEAF. */
	unit_ok(walk_from(&walk, &task, in(RULE_LEAF), callers, MAX_FRAMES) == 1 &&
		callers[0] == CODE + RULE_SMALL * 256,
		"caller is the function before its return address");
	unit_ok(walk_from(&walk, &task, CODE + RULE_END * 256, callers, MAX_FRAMES) == 0 &&
		walk.is_whole, "interrupted address is not decremented");
}

static void test_rules(void)
{
	struct task task = { .words = {
		[0] = in(RULE_END), [1] = in(RULE_CUT),
		[20] = STACK + 8 * 32, [21] = 0, [30] = 0x77, [31] = in(RULE_END),
	} };
	struct tprof_walk walk;
	u64 callers[MAX_WORDS];

	unit_ok(walk_from(&walk, &task, CODE + RULE_PLT * 256 + 10, callers, MAX_FRAMES) == 1 &&
		callers[0] == in(RULE_END), "plt: before the push");
	unit_ok(walk_from(&walk, &task, CODE + RULE_PLT * 256 + 11, callers, MAX_FRAMES) == 1 &&
		callers[0] == in(RULE_CUT) && walk.end.cuts == BIT(TPROF_CHAIN_RULE),
		"plt: after the push; cut: the chain ends");
	task.registers[TPROF_LX_UNWIND_RBP] = STACK + 8 * 21;
	unit_ok(walk_from(&walk, &task, in(RULE_REALIGNED), callers, MAX_FRAMES) == 1 &&
		callers[0] == in(RULE_END) && walk.bp == 0x77,
		"deref: the CFA is in memory");
	task.registers[3] = STACK + 8 * 31;
	unit_ok(walk_from(&walk, &task, in(RULE_RBX), callers, MAX_FRAMES) == 1 &&
		callers[0] == in(RULE_END), "interrupted function may have its CFA in rbx");
	task.registers[3] = STACK + 8 * NR_WORDS;
	unit_ok(walk_from(&walk, &task, in(RULE_RBX), callers, MAX_FRAMES) == 0 &&
		walk.end.cuts == BIT(TPROF_CHAIN_ABSENT) &&
		walk.end.absent_at == STACK + 8 * NR_WORDS,
		"absent memory ends the chain and is reported");
	unit_ok(walk_from(&walk, &task, in(RULE_DOWN), callers, MAX_FRAMES) == 0 &&
		walk.end.cuts == BIT(TPROF_CHAIN_ASTRAY),
		"stack pointer that does not grow ends the chain");
}

/* A lost frame pointer is noticed only where it is needed. */
static void test_lost_registers(void)
{
	struct task task = { .words = { in(RULE_LEAF), in(RULE_BP), in(RULE_END) } };
	struct tprof_walk walk;
	u64 callers[MAX_WORDS];

	task.registers[TPROF_LX_UNWIND_RBP] = STACK;
	unit_ok(walk_from(&walk, &task, in(RULE_LOST_BP), callers, MAX_FRAMES) == 2 &&
		walk.end.cuts == BIT(TPROF_CHAIN_RULE) && !walk.follows_bx,
		"rule that needs a lost rbp ends the chain, which does not begin again");
	task.words[1] = in(RULE_FP);
	unit_ok(walk_from(&walk, &task, in(RULE_LOST_BP), callers, MAX_FRAMES) == 2 &&
		walk.end.cuts == BIT(TPROF_CHAIN_RULE) && !walk.by_frame,
		"a lost rbp is not followed");
}

/*
 * The function of RULE_RBX has saved rsp in rbx, and pushed some words. Its callees say where
 * its rbx is, or do not.
 */
static void test_rbx(void)
{
	struct task task = { .words = { [0] = in(RULE_RBX), [2] = in(RULE_RBX),
					[7] = in(RULE_END) } };
	struct tprof_walk walk;
	u64 callers[MAX_WORDS];

	task.registers[TPROF_LX_UNWIND_RBX] = STACK + 8 * 7;
	unit_ok(walk_from(&walk, &task, in(RULE_KEEP_BX), callers, MAX_FRAMES) == 2 &&
		callers[1] == in(RULE_END) && walk.is_whole && !walk.end.cuts,
		"caller's rbx is followed where it stays the same");
	task.words[0] = in(RULE_KEEP_BX);
	task.words[1] = in(RULE_RBX);
	unit_ok(walk_from(&walk, &task, in(RULE_KEEP_BX), callers, MAX_FRAMES) == 3 &&
		walk.is_whole && walk.bx == STACK + 8 * 7, "rbx may stay the same in two frames");
	task.words[0] = in(RULE_RBX);
	unit_ok(walk_from(&walk, &task, CODE + RULE_PLT_BX * 256 + 10, callers, MAX_FRAMES) == 2 &&
		walk.is_whole, "caller's rbx is followed through a plt");
	task.words[0] = STACK + 8 * 3;
	unit_ok(walk_from(&walk, &task, in(RULE_DEREF_BX), callers, MAX_FRAMES) == 2 &&
		walk.is_whole, "caller's rbx is followed from a frame whose address is in memory");
	task.words[0] = in(RULE_RBX);
	unit_ok(walk_from(&walk, &task, in(RULE_LEAF), callers, MAX_FRAMES) == 1 &&
		walk.end.cuts == BIT(TPROF_CHAIN_RULE) && callers[0] == in(RULE_RBX),
		"rule that does not say where rbx is ends the chain");
	unit_ok(walk_from(&walk, &task, in(RULE_SAVE_BX), callers, MAX_FRAMES) == 1 &&
		walk.end.cuts == BIT(TPROF_CHAIN_ASTRAY), "saved rbx may be any number");
	/* CFA = STACK + 24 in RULE_SAVE_BX, so rbx is saved in the first word. */
	task.words[0] = STACK + 8 * 7;
	task.registers[TPROF_LX_UNWIND_RBX] = 0;
	unit_ok(walk_from(&walk, &task, in(RULE_SAVE_BX), callers, MAX_FRAMES) == 2 &&
		callers[1] == in(RULE_END) && walk.is_whole && walk.by_table == 2,
		"caller's rbx is read where it is saved");
	task.registers[TPROF_LX_UNWIND_RBX] = STACK + 8 * 2;
	unit_ok(walk_from(&walk, &task, in(RULE_RBX), callers, MAX_FRAMES) == 1 &&
		walk.end.cuts == BIT(TPROF_CHAIN_RULE),
		"rbx is lost in the caller of a rule that does not say where it is");
}

/* The frames between one that keeps rbx and the function of RULE_RBX do not keep it. */
static void test_lost_rbx(void)
{
	struct task task = { .words = { [0] = in(RULE_LEAF), [1] = in(RULE_RBX),
					[3] = in(RULE_RBX), [7] = in(RULE_END) } };
	struct tprof_walk walk;
	u64 callers[MAX_WORDS];

	task.registers[TPROF_LX_UNWIND_RBX] = STACK + 8 * 7;
	unit_ok(walk_from(&walk, &task, in(RULE_KEEP_BX), callers, MAX_FRAMES) == 2 &&
		walk.end.cuts == BIT(TPROF_CHAIN_RULE),
		"rbx that was followed is lost at a rule that does not say where it is");
	task.words[0] = in(RULE_FP);
	task.registers[TPROF_LX_UNWIND_RBP] = STACK + 8 * 2;
	unit_ok(walk_from(&walk, &task, in(RULE_KEEP_BX), callers, MAX_FRAMES) == 3 &&
		walk.end.cuts == BIT(TPROF_CHAIN_RULE) && walk.by_table == 2 &&
		walk.by_frame == 1 && walk.marks == 1,
		"rbx that was followed is lost at a frame pointer, and both attempts count once");
	task.words[0] = in(RULE_RBX);
	unit_ok(walk_from(&walk, &task, in(RULE_LOW_BX), callers, MAX_FRAMES) == 1 &&
		walk.end.cuts == BIT(TPROF_CHAIN_RULE) && !walk.end.absent_at,
		"rbx in absent memory is not known");
}

static void test_frame_pointers(void)
{
	struct task task = { .words = {
		[4] = STACK + 8 * 8, [5] = CODE + 0x40100,
		[8] = 0, [9] = in(RULE_LEAF), [10] = in(RULE_END),
	} };
	struct tprof_walk walk;
	u64 callers[MAX_WORDS];

	task.registers[TPROF_LX_UNWIND_RBP] = STACK + 8 * 4;
	unit_ok(walk_from(&walk, &task, in(RULE_FP), callers, MAX_FRAMES) == 5 &&
		callers[1] == CODE + 0x40100 && callers[2] == in(RULE_LEAF) &&
		callers[4] == in(RULE_END) && walk.by_frame == 2 && walk.by_table == 1,
		"code without rules and objects without a table have frame pointers");
	unit_ok(callers[0] == PERF_CONTEXT_USER && callers[3] == PERF_CONTEXT_USER,
		"a mark precedes the first caller by frame pointer, and the next by table");
	unit_ok(walk_from(&walk, &task, in(RULE_FP), callers, 2) == 3 && walk.marks == 1 &&
		walk.end.cuts == BIT(TPROF_CHAIN_DEEP), "marks are no frames, and none is last");
	unit_ok(walk_from(&walk, &task, CODE + 0x60000, callers, MAX_FRAMES) == 5 &&
		walk.is_unmapped, "interrupted address in no mapping is reported");
	task.registers[TPROF_LX_UNWIND_RBP] = 8;
	unit_ok(walk_from(&walk, &task, in(RULE_FP), callers, MAX_FRAMES) == 0 && !walk.end.cuts,
		"a small number is no frame pointer");
	task.registers[TPROF_LX_UNWIND_RBP] = -8;
	unit_ok(walk_from(&walk, &task, in(RULE_FP), callers, MAX_FRAMES) == 0 &&
		walk.end.cuts == BIT(TPROF_CHAIN_ASTRAY), "frame pointer does not wrap");
	task.registers[TPROF_LX_UNWIND_RBP] = STACK + 8 * 4;
	task.words[5] = -1;
	unit_ok(walk_from(&walk, &task, in(RULE_FP), callers, MAX_FRAMES) == 0 && !walk.end.cuts,
		"address outside of user space ends the chain");
}

/* Fill in the signal frame at word @at: it interrupted @ip, with rsp at word @sp. */
static void set_signal(struct task *task, size_t at, unsigned long ip, size_t sp)
{
	unsigned long *saved = task->words + at + TPROF_WALK_SIGCONTEXT / 8;

	saved[TPROF_WALK_SAVED_RIP / 8] = ip;
	saved[TPROF_WALK_SAVED_RSP / 8] = STACK + sp * 8;
	saved[TPROF_WALK_SAVED_RBP / 8] = 0x88;
	saved[11] = STACK + 8 * 100;	/* rbx */
}

/* Above the frame of the outermost function, there is an address in no mapping. */
static void test_stray(void)
{
	static struct tprof_map partial;
	struct task task = { .words = {
		[0] = in(RULE_FP), [1] = CODE + 0x60000, [4] = STACK + 8 * 8, [5] = CODE + 0x60000,
		[8] = 0, [9] = in(RULE_END),
	} };
	struct tprof_walk walk;
	u64 callers[MAX_WORDS];

	task.registers[TPROF_LX_UNWIND_RBP] = STACK + 8 * 4;
	unit_ok(walk_from(&walk, &task, in(RULE_LEAF), callers, MAX_FRAMES) == 1 &&
		callers[0] == in(RULE_FP) && !walk.marks &&
		walk.end.cuts == BIT(TPROF_CHAIN_ASTRAY) && !walk.is_whole,
		"chain ends before an address in no mapping, and before its mark");
	unit_ok(walk_from(&walk, &task, in(RULE_LEAF), callers, 1) == 1 &&
		walk.end.cuts == BIT(TPROF_CHAIN_DEEP), "address beyond the maximum is not looked at");
	task.words[0] = CODE + 0x60000;
	unit_ok(walk_from(&walk, &task, in(RULE_LEAF), callers, MAX_FRAMES) == 0 &&
		walk.end.cuts == BIT(TPROF_CHAIN_ASTRAY), "only caller is in no mapping");
	task.words[0] = in(RULE_FP);
	partial = map;
	partial.is_partial = true;
	walk = task_walk(&partial, &task, in(RULE_LEAF));
	unit_ok(tprof_walk_callers(&walk, &test_access, &task, callers, callers + MAX_FRAMES) ==
		callers + 4 && walk.is_whole, "some mappings may be left out");
	set_signal(&task, 1, CODE + 0x60000, 99);
	task.words[0] = in(RULE_SIGNAL);
	unit_ok(walk_from(&walk, &task, in(RULE_LEAF), callers, MAX_FRAMES) == 2 &&
		callers[1] == CODE + 0x60000 && !walk.is_stray,
		"signal may interrupt code in no mapping");
}

/* Functions with and without rules call each other in turn. */
static void test_marks(void)
{
	u64 callers[MAX_WORDS], nr, i, marks = 0;
	struct tprof_walk walk;
	struct task task = {};

	for (i = 0; i < 40; i++) {
		task.words[2 * i] = STACK + 16 * (i + 1);
		task.words[2 * i + 1] = in(i % 2 ? RULE_FP : RULE_BP);
	}
	task.registers[TPROF_LX_UNWIND_RBP] = STACK;
	nr = walk_from(&walk, &task, in(RULE_BP), callers, 12);
	for (i = 0; i < nr; i++)
		marks += callers[i] == PERF_CONTEXT_USER;
	unit_ok(walk.by_frame > 5 && walk.by_table > 5 && nr == 12 + marks,
		"a chain has as many frames as without marks");
	unit_ok(marks == TPROF_WALK_MAX_MARKS && walk.marks == marks, "number of marks is bounded");
	unit_ok(callers[nr - 7] == PERF_CONTEXT_USER && marks % 2,
		"after the last mark, callers count as found by frame pointer");
}

static void test_signals(void)
{
	struct task task = { .words = { in(RULE_SIGNAL), [100] = in(RULE_END) } };
	struct tprof_walk walk;
	u64 callers[MAX_WORDS];

	set_signal(&task, 1, CODE + RULE_RBX * 256, 99);
	unit_ok(walk_from(&walk, &task, in(RULE_LEAF), callers, MAX_FRAMES) == 3 &&
		callers[0] == in(RULE_SIGNAL) && callers[1] == CODE + RULE_RBX * 256 &&
		callers[2] == in(RULE_END) && walk.bp == 0x88,
		"signal frame leads to the interrupted code and its registers");
	set_signal(&task, 1, in(RULE_KEEP_BX), 98);
	task.words[98] = in(RULE_RBX);
	unit_ok(walk_from(&walk, &task, in(RULE_KEEP_BX), callers, MAX_FRAMES) == 4 &&
		callers[3] == in(RULE_END) && walk.is_whole && walk.signals == 1,
		"rbx is followed from the code that a signal has interrupted");
	/* The handler's stack is above that of the interrupted code. */
	memmove(task.words + 50, task.words, 40 * 8);
	set_signal(&task, 51, in(RULE_LEAF), 2);
	task.words[2] = in(RULE_END);
	task.registers[TPROF_LX_UNWIND_RSP] = STACK + 50 * 8;
	walk = begin(&task, in(RULE_LEAF));
	unit_ok(tprof_walk_callers(&walk, &test_access, &task, callers, callers + MAX_FRAMES) ==
		callers + 3 && walk.is_whole && walk.sp == STACK + 3 * 8,
		"signal may have a stack of its own");
	/* The interrupted code is the signal frame itself. */
	set_signal(&task, 1, in(RULE_SIGNAL), 1);
	task.words[0] = in(RULE_SIGNAL);
	unit_ok(walk_from(&walk, &task, in(RULE_LEAF), callers, MAX_FRAMES) ==
		1 + TPROF_WALK_MAX_SIGNALS &&
		walk.end.cuts == BIT(TPROF_CHAIN_ASTRAY), "loop of signal frames ends");
}

static unsigned long random_word(void)
{
	switch (rand() % 8) {
	case 0 ... 2:
		return STACK + rand() % (NR_WORDS + 8) * 8;
	case 3 ... 5:
		return CODE - 0x1000 + rand() % 0x52000;
	case 6:
		return -(rand() % 64L);
	default:
		return (unsigned long)rand() << 32 | rand();
	}
}

static void fill_randomly(struct task *task)
{
	for (size_t i = 0; i < NR_WORDS; i++)
		task->words[i] = random_word();
	for (size_t i = 0; i < 16; i++)
		task->registers[i] = random_word();
	task->reads = 0;
	task->is_user = true;
}

static struct tprof_lx_unwind_rule random_rule(void)
{
	return (struct tprof_lx_unwind_rule){
		rand() % 32 ? rand() % 7 : 7, rand(),
		rand() % 2 ? -rand() % 64 * 8 - 8 : TPROF_LX_UNWIND_RBP_SAME, rand() % 16,
	};
}

/* Return a rule of the most frequent kind. */
static struct tprof_lx_unwind_rule frequent_rule(void)
{
	static const s16 saved[] = {
		-16, TPROF_LX_UNWIND_RBP_SAME, TPROF_LX_UNWIND_RBP_UNDEFINED,
	};
	static const u8 bases[] = {
		TPROF_LX_UNWIND_RSP, TPROF_LX_UNWIND_RSP, TPROF_LX_UNWIND_RBP, TPROF_LX_UNWIND_RBX,
	};

	return (struct tprof_lx_unwind_rule){
		TPROF_LX_UNWIND_CFA,
		TPROF_LX_UNWIND_BASE(bases[rand() % ARRAY_LEN(bases)], rand() % 4),
		saved[rand() % ARRAY_LEN(saved)], rand() % 8 * 8,
	};
}

/* Return a table of random contents. Its arrays have no byte to spare. */
static struct tprof_table random_table(void)
{
	u32 nr_pages = 1 + rand() % 3, nr_rows = 1 + rand() % 40, nr_rules = 1 + rand() % 8;
	struct tprof_lx_unwind_rule *some_rules = malloc(nr_rules * sizeof(*some_rules));
	struct tprof_lx_unwind_row *some_rows = malloc(nr_rows * sizeof(*some_rows));
	u32 *pages = calloc(nr_pages + 1, sizeof(*pages));

	for (u32 i = 0; i < nr_rules; i++)
		some_rules[i] = rand() % 2 ? random_rule() : frequent_rule();
	for (u32 i = 0; i < nr_rows; i++)
		some_rows[i] = (struct tprof_lx_unwind_row){
			i * 512 + rand() % 512, rand() % nr_rules + !(rand() % 200),
		};
	for (u32 i = 1; i < nr_pages; i++)
		pages[i] = rand() % (nr_rows + 1);
	pages[nr_pages] = nr_rows;
	return (struct tprof_table){
		rand() % 3, nr_pages, nr_rows, nr_rules, pages, some_rules, some_rows,
	};
}

static void free_table(const struct tprof_table *table)
{
	free((void *)table->first);
	free((void *)table->rules);
	free((void *)table->rows);
}

/* ASan finds accesses outside of tables, mappings and @callers. */
static void test_random(void)
{
	u64 *callers = malloc(MAX_WORDS * sizeof(*callers));
	size_t nr, whole = 0, accepted = 0, longest = 0, again = 0;
	bool is_bounded = true, is_user = true, is_mapped = true;
	struct tprof_walk walk;
	struct task task;

	for (u32 i = 0; i < 200000; i++) {
		struct tprof_table table = random_table();

		slot = tprof_table_check(&table) ? NULL : &table;
		changes++;
		accepted += !!slot;
		fill_randomly(&task);
		nr = walk_from(&walk, &task, random_word(), callers, MAX_FRAMES);
		longest = nr > longest ? nr : longest;
		whole += walk.is_whole;
		again += walk.follows_bx && !(walk.end.cuts & BIT(TPROF_CHAIN_RULE));
		is_bounded &= task.reads <= max_reads(&walk, nr);
		for (size_t j = 0; j < nr; j++)
			is_user &= (callers[j] && callers[j] < TPROF_WALK_LIMIT) ||
				   (callers[j] == PERF_CONTEXT_USER && j + 1 < nr);
		/* The chain has ended at its last caller, unless it had its maximum length. */
		is_mapped &= !nr || walk.signals || walk.is_whole ||
			     walk.end.cuts == BIT(TPROF_CHAIN_DEEP) ||
			     tprof_map_find(&map, callers[nr - 1] - 1);
		free_table(&table);
	}
	slot = &by_hand;
	changes++;
	free(callers);
	printf("# %zu tables accepted, %zu chains whole, the longest has %zu callers, %zu by rbx\n",
	       accepted, whole, longest, again);
	unit_ok(accepted > 1000 && whole > 100 && longest > 4, "random tables lead somewhere");
	unit_ok(again > 10, "some walks find rbx at their second attempt");
	unit_ok(is_bounded, "number of words that a frame reads is bounded");
	unit_ok(is_user, "each caller is in user space");
	unit_ok(is_mapped, "each caller is in a mapping");
	unit_ok(task.is_user, "only user memory is read");
	printf("# %zu callers by cached rules\n", nr_cached);
	unit_ok(are_same && nr_cached > 1000, "walks by cached rules are the same");
}

/* Walk from RULE_LEAF, of which the stack has the caller, and return the number of callers. */
static size_t walk_leaf(struct task *task)
{
	struct tprof_walk walk = begin(task, in(RULE_LEAF));
	u64 callers[MAX_WORDS];

	return walk_by_cache(&walk, task, callers, MAX_FRAMES);
}

static void test_stale_rules(void)
{
	struct task task = { .words = { in(RULE_END) }, .registers = {
		[TPROF_LX_UNWIND_RSP] = STACK,
	} };
	const struct tprof_lx_unwind_row row = rows[RULE_LEAF];
	size_t before, cached, changed;
	struct tprof_walk walk;
	u64 callers[MAX_WORDS];

	before = walk_leaf(&task);
	rows[RULE_LEAF].rule = RULE_CUT;
	cached = walk_leaf(&task);
	changes++;
	changed = walk_leaf(&task);
	rows[RULE_LEAF] = row;
	changes++;
	unit_ok(before == 1 && cached == 1, "rule is cached");
	cached = nr_cached;
	walk_from(&walk, &task, in(RULE_KEEP_BX), callers, MAX_FRAMES);
	unit_ok(nr_cached == cached + 1, "rule with a place of rbx is as quick as others");
	unit_ok(changed == 0, "rule from before a change of the tables is not used");
	unit_ok(walk_leaf(&task) == 1, "rule from before another change is not used");
}

int main(void)
{
	fill_rows();
	test_rows();
	test_map();
	test_calls();
	test_last_call();
	test_rules();
	test_lost_registers();
	test_rbx();
	test_lost_rbx();
	test_frame_pointers();
	test_stray();
	test_marks();
	test_signals();
	test_random();
	test_stale_rules();
	return unit_exit();
}
