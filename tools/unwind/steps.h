/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the rules of code by file offset, before they are rows of an unwind table
 */
#ifndef TPROF_UNWIND_STEPS_H
#define TPROF_UNWIND_STEPS_H

#include "unwind/table.h"

/**
 * struct unwind_step - a rule that holds up to the next step
 * @offset:	file offset from which on it holds
 * @rule:	the rule; TPROF_LX_UNWIND_FP after the end of code that has rules
 */
struct unwind_step {
	u64	offset;
	struct tprof_lx_unwind_rule rule;
};

/**
 * struct unwind_steps - steps in the order of offsets, empty if all members are zero
 * @list:	the steps; neighbours have different rules
 * @nr:		number of steps
 * @room:	capacity of @list
 */
struct unwind_steps {
	struct unwind_step *list;
	size_t	nr;
	size_t	room;
};

int steps_add(struct unwind_steps *steps, u64 offset, const struct tprof_lx_unwind_rule *rule);
int steps_end(struct unwind_steps *steps, u64 offset);
int steps_build(const struct unwind_steps *steps, struct table_builder *builder);
void steps_free(struct unwind_steps *steps);

#endif /* TPROF_UNWIND_STEPS_H */
