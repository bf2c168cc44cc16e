// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - walk through the copy of a stack, as the module walks through the stack itself
 *
 * This compiles the module's own walk, so that a chain does not depend on which of both has
 * walked.
 */
#include <string.h>

#include "kernel.h"

#include "chain/walk.h"

#include "walk/stack_walk.h"

/**
 * struct copied_task - a thread, as the walk reads it
 * @stack:	its registers
 * @copy:	the copy of its stack
 * @base:	address of the first byte of @copy
 */
struct copied_task {
	const struct tprof_lx_stack *stack;
	const u8 *copy;
	u64	base;
};

static bool read_word(const void *task, unsigned long at, unsigned long *word)
{
	const struct copied_task *copied = task;
	const struct tprof_lx_stack *stack = copied->stack;
	u64 offset = at - copied->base, end = stack->present;

	if (at < copied->base)
		return false;
	if (offset >= stack->low + stack->gap) {
		offset -= stack->gap;
		end = stack->bytes;
	}
	if (offset >= end || end - offset < sizeof(*word))
		return false;
	memcpy(word, copied->copy + offset, sizeof(*word));
	return true;
}

static unsigned long read_register(const void *task, u8 number)
{
	return ((const struct copied_task *)task)->stack->regs[number];
}

static const struct tprof_walk_access copy_access = {
	.read = read_word,
	.reg = read_register,
};

/* Give the walk the mappings and tables in its own form. */
static struct tprof_map convert(const struct walk_map *maps, u32 nr)
{
	static struct tprof_map_entry entries[STACK_WALK_MAPS];
	static struct tprof_table tables[STACK_WALK_MAPS];
	static const struct tprof_table *slots[STACK_WALK_MAPS];
	const struct unwind_table *table;
	u32 i;

	nr = nr < STACK_WALK_MAPS ? nr : STACK_WALK_MAPS;
	for (i = 0; i < nr; i++) {
		table = maps[i].table;
		if (table)
			tables[i] = (struct tprof_table){
				table->page0, table->nr_pages, table->nr_rows, table->nr_rules,
				table->pages, table->rules, table->rows,
			};
		slots[i] = table ? &tables[i] : NULL;
		entries[i] = (struct tprof_map_entry){
			.start = maps[i].start,
			.end = maps[i].end,
			.offset = maps[i].offset,
			.table = table || maps[i].is_pending ? &slots[i] : NULL,
		};
	}
	return (struct tprof_map){
		.entries = entries,
		.nr = nr,
		.is_partial = nr == STACK_WALK_MAPS,
	};
}

/*
 * Walk through @copy, by mappings that are sorted and do not overlap. @frames is the maximum
 * number of addresses.
 */
void stack_walk(const struct walk_map *maps, u32 nr, const struct tprof_lx_stack *stack,
		const u8 *copy, u32 frames, struct stack_chain *chain)
{
	const struct copied_task task = {
		stack, copy, stack->regs[TPROF_LX_UNWIND_RSP] - TPROF_LX_STACK_BELOW,
	};
	const struct tprof_map map = convert(maps, nr);
	struct tprof_walk walk = {
		.map = &map,
		.ip = stack->regs[ARRAY_SIZE(stack->regs) - 1],
		.sp = stack->regs[TPROF_LX_UNWIND_RSP],
		.bp = stack->regs[TPROF_LX_UNWIND_RBP],
		.has_bp = true,
		.has_all = true,
		.is_exact = true,
	};
	const u32 limit = STACK_WALK_WORDS - 1 - TPROF_WALK_MAX_MARKS;
	u64 *words = chain->words, *next;

	frames = frames < limit ? frames : limit;
	words[0] = PERF_CONTEXT_USER;
	words[1] = walk.ip;
	next = frames ? tprof_walk_callers(&walk, &copy_access, &task, words + 2,
					   words + 1 + frames) : words;
	chain->nr = next - words;
	chain->is_whole = walk.is_whole;
	chain->is_beyond = walk.end.cuts & BIT(TPROF_CHAIN_ABSENT);
	chain->is_pending = walk.end.cuts & BIT(TPROF_CHAIN_TABLELESS);
}
