/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the loops of a function
 *
 * A jump back is not always part of a loop: compilers put rare code at the end, and it jumps
 * back once. So loops are found by a search along the ways that the CPU can go. Ways through
 * jumps to unknown targets, as of a switch, are not known.
 */
#ifndef TPROF_LOOPS_H
#define TPROF_LOOPS_H

#include "code/instruction.h"

#define NO_LOOP		(~0U)

/* With more loops around each other, no loops are found. */
#define LOOPS_DEEPEST	64

/**
 * struct loops - the loops of a function; empty if all members are zero
 * @heads:	for each instruction, the index of the first instruction of the innermost loop
 *		around it, or NO_LOOP. The first instruction of a loop has that of the loop
 *		around this one.
 * @is_head:	for each instruction: a loop begins there
 * @nr:		number of loops
 * @is_left_out: the function is too complicated, so no loops were found
 */
struct loops {
	u32	*heads;
	bool	*is_head;
	u32	nr;
	bool	is_left_out;
};

int loops_find(struct loops *loops, const struct instructions *all);
u32 loops_depth(const struct loops *loops, u32 at);
void loops_free(struct loops *loops);

/* Return the index of the first instruction of the innermost loop with @at, or NO_LOOP. */
static inline u32 loops_innermost(const struct loops *loops, u32 at)
{
	return loops->is_head[at] ? at : loops->heads[at];
}

#endif /* TPROF_LOOPS_H */
