// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx bench - the module's walk by unwind tables, on a copy of a stack
 *
 * Compiled as the module's files are in unit tests.
 */
#include <string.h>

#include "chain/walk.h"
#include "walk_copy.h"

#define RED_ZONE	128UL

void (*tprof_test_interrupt)(void);

/*
 * An epilogue has restored rbp already, but its rules may still say that rbp is in the red zone,
 * which is not in the copy. A walk that reads rbx there gets a wrong one, and its chain differs.
 */
static bool read_word(const void *task, unsigned long at, unsigned long *word)
{
	const struct stack_copy *copy = task;
	unsigned long offset = at - copy->regs[TPROF_LX_UNWIND_RSP];

	if (offset >= -RED_ZONE) {
		*word = copy->regs[TPROF_LX_UNWIND_RBP];
		return true;
	}
	if (offset >= copy->size || copy->size - offset < sizeof(*word))
		return false;
	memcpy(word, copy->bytes + offset, sizeof(*word));
	return true;
}

static unsigned long read_register(const void *task, u8 number)
{
	return ((const struct stack_copy *)task)->regs[number];
}

static const struct tprof_walk_access copy_access = {
	.read = read_word,
	.reg = read_register,
};

/* Copy the addresses of a walk without marks. Return their number. */
static size_t copy_addresses(__u64 *to, const u64 *from, const u64 *end)
{
	size_t nr = 0;

	for (; from < end; from++) {
		if (*from < PERF_CONTEXT_MAX)
			to[nr++] = *from;
	}
	return nr;
}

/* Walk through the mappings @maps, which are sorted. */
void walk_copy(const struct copy_map *maps, size_t nr, const struct stack_copy *copy,
	       struct copy_chain *chain)
{
	static struct tprof_map_entry entries[COPY_MAPS];
	static struct tprof_table tables[COPY_MAPS];
	static const struct tprof_table *slots[COPY_MAPS];
	const struct tprof_map map = { .entries = entries, .nr = nr };
	struct tprof_walk walk = {
		.map = &map, .ip = copy->regs[16], .sp = copy->regs[TPROF_LX_UNWIND_RSP],
		.bp = copy->regs[TPROF_LX_UNWIND_RBP],
		.has_bp = true, .has_all = true, .is_exact = true,
	};
	u64 words[COPY_FRAMES + TPROF_WALK_MAX_MARKS], *end;
	const struct copy_table *table;
	size_t i;

	for (i = 0; i < nr; i++) {
		table = maps[i].table;
		slots[i] = table ? &tables[i] : NULL;
		entries[i] = (struct tprof_map_entry){ maps[i].start, maps[i].end,
						       maps[i].offset, &slots[i] };
		if (table)
			tables[i] = (struct tprof_table){
				table->page0, table->nr_pages, table->nr_rows, table->nr_rules,
				table->pages, table->rules, table->rows,
			};
	}
	words[0] = walk.ip;
	end = tprof_walk_callers(&walk, &copy_access, copy, words + 1, words + COPY_FRAMES);
	chain->nr = copy_addresses(chain->ips, words, end);
	chain->is_whole = walk.is_whole;
	chain->is_beyond = walk.end.cuts & BIT(TPROF_CHAIN_ABSENT);
}
