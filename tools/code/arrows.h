/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - jumps inside a function, as arrows beside its instructions
 *
 * All jumps to one instruction are one arrow. Arrows that overlap are in different lanes, and
 * lane 0 is the leftmost.
 */
#ifndef TPROF_ARROWS_H
#define TPROF_ARROWS_H

#include "code/instruction.h"

/* Arrows for which there is no lane are not drawn. */
#define ARROWS_LANES	12
#define NO_ARROW	(~0U)

/* Length of the text of arrows_draw(), with a terminating zero. */
#define ARROWS_TEXT	(2 * ARROWS_LANES + 2)

/**
 * struct arrow - the jumps to an instruction
 * @target:	index of the instruction
 * @first:	index of the first of @target and the jumps
 * @last:	index of the last of these
 * @lane:	its lane, ARROWS_LANES if there is none for it
 */
struct arrow {
	u32	target;
	u32	first;
	u32	last;
	u32	lane;
};

/**
 * struct arrows - all arrows of a function; empty if all members are zero
 * @list:	the arrows, by lane and then by @first
 * @nr:		number of @list
 * @nr_lanes:	number of lanes in use
 * @lanes:	index in @list of the first arrow of each lane, and of the one after the last
 * @from:	for each instruction, the index of the arrow of its jump, or NO_ARROW
 * @to:		for each instruction, the index of the arrow to it, or NO_ARROW
 */
struct arrows {
	struct arrow *list;
	u32	nr;
	u32	nr_lanes;
	u32	lanes[ARROWS_LANES + 1];
	u32	*from;
	u32	*to;
};

int arrows_make(struct arrows *arrows, const struct instructions *all);
void arrows_draw(const struct arrows *arrows, u32 at, char text[ARROWS_TEXT]);
void arrows_draw_above(const struct arrows *arrows, u32 at, char text[ARROWS_TEXT]);
void arrows_free(struct arrows *arrows);

/* Return the index of the instruction that a jump inside the function goes to, or NO_ARROW. */
static inline u32 jump_target(const struct instructions *all, const struct instruction *from)
{
	size_t at;

	if (!from->has_target || (from->flow != FLOW_BRANCH && from->flow != FLOW_JUMP))
		return NO_ARROW;
	at = instructions_find(all, from->target);
	return at < all->nr && all->list[at].addr == from->target ? at : NO_ARROW;
}

#endif /* TPROF_ARROWS_H */
