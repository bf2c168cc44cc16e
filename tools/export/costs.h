/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx export - costs of source lines, and of the calls in them
 *
 * Each stack is counted once; the costs of lines and calls are made of the stacks at the end.
 */
#ifndef TPROF_EXPORT_COSTS_H
#define TPROF_EXPORT_COSTS_H

#include "export/frames.h"
#include "export/groups.h"

/**
 * struct cost - the cost of a source line itself, or of the calls of a function in it
 * @function:	the function that has the line
 * @line:	its number, 0 if unknown
 * @callee:	the called function; NULL for the cost of the line itself
 * @next:	next cost of @function
 * @samples:	number of samples
 * @values:	sums of their periods, by event
 */
struct cost {
	const struct function *function;
	u32	line;
	const struct function *callee;
	struct cost *next;
	u64	samples;
	u64	values[];
};

/**
 * struct costs - all costs; costs_init() makes it empty
 * @nr_events:	number of events
 * @table:	the costs
 * @memory:	memory of the costs
 * @root:	a function that calls the outermost function of each stack
 * @root_first:	its first cost
 * @first:	first cost of each other function, by function.number
 * @seen:	number of the last group that has the function, by function.number
 * @nr_seen:	number of groups so far
 * @nr_functions: length of @first and @seen
 */
struct costs {
	u32	nr_events;
	struct hash_table table;
	struct arena memory;
	struct function root;
	struct cost *root_first;
	struct cost **first;
	u64	*seen;
	u64	nr_seen;
	size_t	nr_functions;
};

void costs_init(struct costs *costs, u32 nr_events);
struct cost *costs_of(const struct costs *costs, const struct function *function);
int costs_add(struct costs *costs, const struct frames *frames, const struct group *group);
void costs_free(struct costs *costs);

#endif /* TPROF_EXPORT_COSTS_H */
