// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx export - costs of source lines, and of the calls in them
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "export/costs.h"
#include "world/chain.h"

static bool is_cost(const void *entry, const void *wanted)
{
	const struct cost *cost = entry, *key = wanted;

	return cost->function == key->function && cost->callee == key->callee &&
	       cost->line == key->line;
}

void costs_init(struct costs *costs, u32 nr_events)
{
	*costs = (struct costs){ .nr_events = nr_events,
				 .root = { .name = "[root]", .path = "", .binary = "[root]" } };
}

static struct cost **first_of(const struct costs *costs, const struct function *function)
{
	return function == &costs->root ? (struct cost **)&costs->root_first :
					  &costs->first[function->number];
}

/* Return the first cost of a function, or NULL. */
struct cost *costs_of(const struct costs *costs, const struct function *function)
{
	return *first_of(costs, function);
}

/* Find or add a cost. Return NULL if out of memory. */
static struct cost *cost_of(struct costs *costs, const struct cost *key)
{
	size_t bytes = sizeof(*key) + costs->nr_events * sizeof(key->values[0]);
	struct cost *cost;
	u64 hash;

	hash = hash_number((uintptr_t)key->function);
	hash = hash_number(hash + (uintptr_t)key->callee);
	hash = hash_number(hash + key->line);
	cost = hash_table_find(&costs->table, hash, is_cost, key);
	if (cost)
		return cost;
	cost = arena_get(&costs->memory, bytes);
	if (!cost || hash_table_add(&costs->table, hash, cost))
		return NULL;
	memset(cost, 0, bytes);
	*cost = *key;
	cost->next = *first_of(costs, key->function);
	*first_of(costs, key->function) = cost;
	return cost;
}

/*
 * Add the samples of @group to the line of @frame itself or, if @callee is not NULL, to its
 * call. If @frame is NULL, the root calls.
 */
static int add(struct costs *costs, const struct group *group, const struct frame *frame,
	       const struct function *callee)
{
	const struct cost key = { .function = frame ? frame->function : &costs->root,
				  .line = frame ? frame->line : 0, .callee = callee };
	struct cost *cost = cost_of(costs, &key);

	if (!cost)
		return -ENOMEM;
	cost->samples += group->samples;
	cost->values[group->event] += group->weight;
	return 0;
}

static int make_room(struct costs *costs, size_t nr)
{
	struct cost **first = reallocarray(costs->first, nr, sizeof(*first));
	u64 *seen;

	if (first)
		costs->first = first;
	seen = reallocarray(costs->seen, nr, sizeof(*seen));
	if (seen)
		costs->seen = seen;
	if (!first || !seen)
		return -ENOMEM;
	memset(first + costs->nr_functions, 0, (nr - costs->nr_functions) * sizeof(*first));
	memset(seen + costs->nr_functions, 0, (nr - costs->nr_functions) * sizeof(*seen));
	costs->nr_functions = nr;
	return 0;
}

/*
 * Add the samples of @group: to the line of the innermost frame, and to the call of each
 * function of the stack. Readers add up the calls of a function to its inclusive cost. A
 * recursive function has several frames in the stack, so only its outermost call counts.
 * frames.by_function must be false.
 */
int costs_add(struct costs *costs, const struct frames *frames, const struct group *group)
{
	const struct frame *stack[FRAMES_MAX], *caller = NULL;
	size_t nr = 0;
	int err = 0;
	u32 at;

	if (costs->nr_functions < frames->function_table.nr &&
	    make_room(costs, frames->function_table.nr))
		return -ENOMEM;
	costs->nr_seen++;
	for (at = group->stack; at; at = frames->nodes[at].parent)
		stack[nr++] = frames->list[frames->nodes[at].frame];
	while (nr-- && !err) {
		if (costs->seen[stack[nr]->function->number] != costs->nr_seen)
			err = add(costs, group, caller, stack[nr]->function);
		costs->seen[stack[nr]->function->number] = costs->nr_seen;
		caller = stack[nr];
	}
	return err || !caller ? err : add(costs, group, caller, NULL);
}

void costs_free(struct costs *costs)
{
	hash_table_free(&costs->table, NULL);
	arena_free(&costs->memory);
	free(costs->first);
	free(costs->seen);
}
