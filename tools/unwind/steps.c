// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the rules of code by file offset, before they are rows of an unwind table
 */
#include <errno.h>
#include <string.h>

#include "base/huge_pages.h"
#include "unwind/steps.h"

#define FIRST_ROOM	1024

/* A large binary has so many steps that faults on small pages would take long. */
static int grow(struct unwind_steps *steps)
{
	size_t room = steps->room ? 2 * steps->room : FIRST_ROOM;
	struct unwind_step *list = huge_alloc(room * sizeof(*list));

	if (!list)
		return -ENOMEM;
	if (steps->nr)
		memcpy(list, steps->list, steps->nr * sizeof(*list));
	huge_free(steps->list, steps->room * sizeof(*list));
	steps->list = list;
	steps->room = room;
	return 0;
}

/* Let @rule hold from @offset on, which is above all earlier offsets. Return 0 or -ENOMEM. */
int steps_add(struct unwind_steps *steps, u64 offset, const struct tprof_lx_unwind_rule *rule)
{
	if (steps->nr && !memcmp(&steps->list[steps->nr - 1].rule, rule, sizeof(*rule)))
		return 0;
	if (steps->nr == steps->room && grow(steps))
		return -ENOMEM;
	steps->list[steps->nr++] = (struct unwind_step){ offset, *rule };
	return 0;
}

/* Let the frame pointer hold from @offset on. Return 0 or -ENOMEM. */
int steps_end(struct unwind_steps *steps, u64 offset)
{
	static const struct tprof_lx_unwind_rule by_frame_pointer = { .how = TPROF_LX_UNWIND_FP };

	return steps_add(steps, offset, &by_frame_pointer);
}

/* Add the steps to a table. Return 0 or the error of builder_add(). */
int steps_build(const struct unwind_steps *steps, struct table_builder *builder)
{
	const struct unwind_step *step;
	int err = 0;
	size_t i;

	for (i = 0; i < steps->nr && !err; i++) {
		step = &steps->list[i];
		if (step->rule.how == TPROF_LX_UNWIND_FP)
			err = builder_end(builder, step->offset);
		else
			err = builder_add(builder, step->offset, &step->rule);
	}
	return err;
}

void steps_free(struct unwind_steps *steps)
{
	huge_free(steps->list, steps->room * sizeof(*steps->list));
	*steps = (struct unwind_steps){ 0 };
}
