/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - walk through the copy of a stack, as the module walks through the stack itself
 */
#ifndef TPROF_STACK_WALK_H
#define TPROF_STACK_WALK_H

#include <linux/tprof_lx.h>

#include "unwind/table.h"

/*
 * Maximum number of mappings, and of addresses and marks of a chain. With so many mappings, the
 * process may have others.
 */
#define STACK_WALK_MAPS		2048
#define STACK_WALK_WORDS	1040

/**
 * struct walk_map - an executable mapping
 * @start:	first address
 * @end:	address after it
 * @offset:	file offset of @start
 * @table:	table of the file, or NULL
 * @is_pending:	the file may still get a table
 */
struct walk_map {
	u64	start;
	u64	end;
	u64	offset;
	const struct unwind_table *table;
	bool	is_pending;
};

/**
 * struct stack_chain - the user part of a chain, as in a sample
 * @words:	PERF_CONTEXT_USER, addresses, and perhaps further marks: see TPROF_LX_EVENT_TABLES
 * @nr:		number of @words
 * @is_whole:	the last address is that of an outermost frame
 * @is_beyond:	the next frame is not in the copy
 * @is_pending:	the walk has met a file that may still get a table
 */
struct stack_chain {
	u64	words[STACK_WALK_WORDS];
	u32	nr;
	bool	is_whole;
	bool	is_beyond;
	bool	is_pending;
};

void stack_walk(const struct walk_map *maps, u32 nr, const struct tprof_lx_stack *stack,
		const u8 *copy, u32 frames, struct stack_chain *chain);

#endif /* TPROF_STACK_WALK_H */
