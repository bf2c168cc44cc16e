// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx fuzzing - the module's walks of the user's stack, by hostile tables, mappings and stacks
 *
 * An input is numbers of rows, rules, pages and mappings, then these, then registers and words of
 * the stack. Arrays have no byte to spare, so that ASan finds accesses outside of them. Each walk
 * is done again by cached rules, and must be the same.
 */
#include <stdlib.h>
#include <string.h>

#include "walk_task.h"

#define CODE		0x555500000000UL
#define CODE_BYTES	0x60000
#define MAX_FRAMES	64
#define MAX_MAPPINGS	8

void (*tprof_test_interrupt)(void);

/**
 * struct input - what is left of an input; numbers that follow from all of it are behind it
 * @data:	the bytes
 * @len:	number of them
 * @state:	state of a generator of numbers
 */
struct input {
	const u8	*data;
	size_t		len;
	u64		state;
};

static struct input begin_input(const u8 *data, size_t len)
{
	struct input input = { data, len, 1 };
	size_t i;

	for (i = 0; i < len; i++)
		input.state = (input.state ^ data[i]) * 0x100000001b3;
	return input;
}

static u8 take_byte(struct input *input)
{
	if (input->len) {
		input->len--;
		return *input->data++;
	}
	input->state = input->state * 6364136223846793005 + 1442695040888963407;
	return input->state >> 56;
}

static void take(struct input *input, void *to, size_t bytes)
{
	u8 *at = to;

	while (bytes--)
		*at++ = take_byte(input);
}

static u32 take_number(struct input *input)
{
	u32 number;

	take(input, &number, sizeof(number));
	return number;
}

static void *take_array(struct input *input, size_t bytes)
{
	void *array = malloc(bytes);

	if (!array)
		abort();
	take(input, array, bytes);
	return array;
}

/* Return an address of the stack or of code, or another number. */
static unsigned long take_word(struct input *input)
{
	u32 number = take_number(input), rest = number >> 3;

	switch (number & 7) {
	case 0 ... 2:
		return STACK + rest % (NR_WORDS + 8) * sizeof(u64);
	case 3 ... 5:
		return CODE + rest % CODE_BYTES;
	case 6:
		return TPROF_WALK_LIMIT + (s16)rest;
	default:
		return (s32)number / 8;
	}
}

/* Make a rule that tprof_table_check() accepts, most often one of the frequent kind. */
static struct tprof_lx_unwind_rule tidy_rule(struct tprof_lx_unwind_rule rule)
{
	static const s16 kept[] = { TPROF_LX_UNWIND_RBP_SAME, TPROF_LX_UNWIND_RBP_UNDEFINED };
	static const u8 bases[] = { TPROF_LX_UNWIND_RBX, TPROF_LX_UNWIND_RSP,
				    TPROF_LX_UNWIND_RBP, TPROF_LX_UNWIND_RSP };

	rule.how = rule.how % 16 < 7 ? rule.how % 16 : TPROF_LX_UNWIND_CFA;
	/* Keep r12. */
	if (TPROF_LX_UNWIND_REGISTER(rule.base) != 12)
		rule.base = TPROF_LX_UNWIND_BASE(bases[rule.base % 4],
						 TPROF_LX_UNWIND_RBX_PLACE(rule.base));
	rule.rbp = rule.rbp < 0 ? rule.rbp / 512 * 8 - 8 : kept[rule.rbp % 8 == 7];
	rule.offset = rule.how == TPROF_LX_UNWIND_PLT ? rule.offset & 15 : rule.offset % 16 * 8;
	if (rule.how == TPROF_LX_UNWIND_SIGNAL)
		rule.offset &= 8;
	return rule;
}

/* Let tprof_table_check() accept most tables. */
static void tidy(struct input *input, const struct tprof_table *table)
{
	struct tprof_lx_unwind_rule *rules = (void *)table->rules;
	struct tprof_lx_unwind_row *rows = (void *)table->rows;
	u32 *first = (void *)table->first, i;

	for (i = 0; i < table->nr_rules && take_byte(input) % 32; i++)
		rules[i] = tidy_rule(rules[i]);
	for (i = 0; i < table->nr_pages; i++)
		first[i] = i ? first[i - 1] + first[i] % (table->nr_rows - first[i - 1] + 1) : 0;
	first[table->nr_pages] = table->nr_rows;
	if (!(take_byte(input) % 8))
		first[take_number(input) % (table->nr_pages + 1)] = take_number(input) % 256;
	for (i = 0; i < table->nr_rows; i++)
		rows[i] = (struct tprof_lx_unwind_row){
			i * 1024 + rows[i].low % 1024, rows[i].rule % table->nr_rules,
		};
	if (!(take_byte(input) % 8))
		rows[take_number(input) % table->nr_rows].rule = table->nr_rules;
}

static struct tprof_table take_table(struct input *input)
{
	struct tprof_table table = {
		.page0 = take_number(input) % 3,
		.nr_pages = 1 + take_number(input) % 6,
		.nr_rows = 1 + take_number(input) % 64,
		.nr_rules = 1 + take_number(input) % 16,
	};

	table.first = take_array(input, (table.nr_pages + 1) * sizeof(*table.first));
	table.rules = take_array(input, table.nr_rules * sizeof(*table.rules));
	table.rows = take_array(input, table.nr_rows * sizeof(*table.rows));
	tidy(input, &table);
	return table;
}

static void free_table(const struct tprof_table *table)
{
	free((void *)table->first);
	free((void *)table->rules);
	free((void *)table->rows);
}

/* Mappings are sorted and do not overlap: they are the kernel's. */
static struct tprof_map take_map(struct input *input, const struct tprof_table *const *slot)
{
	u32 nr = take_number(input) % (MAX_MAPPINGS + 1), i;
	struct tprof_map_entry *entries = calloc(nr, sizeof(*entries));
	unsigned long at = CODE;

	for (i = 0; i < nr; i++) {
		entries[i].start = at + take_number(input) % 4 * 4096;
		entries[i].end = entries[i].start + (1 + take_number(input) % 64) * 4096;
		entries[i].offset = (u64)take_number(input) % 64 << 12;
		entries[i].table = take_number(input) % 4 ? slot : NULL;
		at = entries[i].end;
	}
	return (struct tprof_map){ .entries = entries, .nr = nr };
}

static void take_task(struct input *input, struct task *task)
{
	size_t i;

	*task = (struct task){ .is_user = true };
	for (i = 0; i < 16; i++)
		task->registers[i] = take_word(input);
	for (i = 0; i < NR_WORDS; i++)
		task->words[i] = take_word(input);
}

static void check_walk(const struct tprof_walk *walk, const struct task *task, const u64 *callers,
		       size_t nr)
{
	size_t i;

	if (nr > MAX_FRAMES + TPROF_WALK_MAX_MARKS || !task->is_user ||
	    task->reads > max_reads(walk, nr))
		abort();
	for (i = 0; i < nr; i++) {
		if (callers[i] == PERF_CONTEXT_USER && i + 1 < nr)
			continue;
		if (!callers[i] || callers[i] >= TPROF_WALK_LIMIT)
			abort();
	}
}

static void walk_stack(const struct tprof_map *map, struct task *task, unsigned long ip,
		       size_t room)
{
	u64 *callers = malloc((room + TPROF_WALK_MAX_MARKS) * sizeof(*callers));
	u64 again[MAX_FRAMES + TPROF_WALK_MAX_MARKS];
	struct tprof_walk walk = task_walk(map, task, ip), other;
	size_t nr = tprof_walk_callers(&walk, &test_access, task, callers, callers + room) -
		    callers;
	int i;

	check_walk(&walk, task, callers, nr);
	if (walk.signals > TPROF_WALK_MAX_SIGNALS + 1)
		abort();
	for (i = 0; i < 2; i++) {
		other = task_walk(map, task, ip);
		task->reads = 0;
		if (walk_by_cache(&other, task, again, room) != nr ||
		    memcmp(again, callers, nr * sizeof(*again)) || !is_same_end(&walk, &other))
			abort();
	}
	if (!task->is_user)
		abort();
	free(callers);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t len)
{
	struct input input = begin_input(data, len);
	struct tprof_table table = take_table(&input);
	const struct tprof_table *slot = tprof_table_check(&table) ? NULL : &table;
	struct tprof_map map = take_map(&input, &slot);
	unsigned long ip = take_word(&input);
	size_t room = take_number(&input) % (MAX_FRAMES + 1);
	struct task task;

	take_task(&input, &task);
	/* No rule of the input before holds. */
	changes++;
	walk_stack(&map, &task, ip, room);
	free((void *)map.entries);
	free_table(&table);
	return 0;
}
