// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the loops of a function
 *
 * One depth-first search finds the innermost loop of each instruction. While an instruction is
 * on the path of the search, a way back to it closes a loop. The loops around an instruction
 * are a list from the inside to the outside, into which later ones are woven (Wei, Mao, Zou and
 * Chen: A New Algorithm for Identifying Loops in Decompilation, 2007).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "code/arrows.h"
#include "code/loops.h"

/* Number of steps in lists of loops for each instruction, before the search is given up. */
#define MAX_STEPS	64
#define LEAST_STEPS	4096

#define NR_WAYS		2

/**
 * struct search - state of the search
 * @all:	the instructions
 * @loops:	the result
 * @path:	indices of the instructions on the path
 * @depth:	length of @path
 * @places:	for each instruction on the path, its position there, from 1; else 0
 * @ways:	for each instruction, number of the ways from it that were searched, plus 1;
 *		0 if the search has not reached it
 * @steps:	number of steps that are left
 */
struct search {
	const struct instructions *all;
	struct loops *loops;
	u32	*path;
	u32	depth;
	u32	*places;
	u8	*ways;
	u64	steps;
};

/* Return the index of the instruction at the end of way number @way from @at, or NO_LOOP. */
static u32 way_from(const struct instructions *all, u32 at, u32 way)
{
	const struct instruction *from = &all->list[at];
	bool goes_on = from->flow == FLOW_NEXT || from->flow == FLOW_BRANCH ||
		       from->flow == FLOW_CALL;

	if (way)
		return jump_target(all, from);
	return goes_on && at + 1 < all->nr ? at + 1 : NO_LOOP;
}

/* Weave the loop that begins at @head into the list of loops around @at. */
static void put_in_loop(struct search *search, u32 at, u32 head)
{
	u32 *heads = search->loops->heads, outer;

	while (at != head && heads[at] != head && search->steps) {
		search->steps--;
		outer = heads[at];
		if (outer == NO_LOOP) {
			heads[at] = head;
			return;
		}
		if (search->places[outer] < search->places[head]) {
			heads[at] = head;
			at = head;
			head = outer;
		} else {
			at = outer;
		}
	}
}

/* Go on after a way from @at to @next, which the search has reached before. */
static void close_way(struct search *search, u32 at, u32 next)
{
	const u32 *heads = search->loops->heads;

	if (search->places[next]) {
		search->loops->is_head[next] = true;
		put_in_loop(search, at, next);
		return;
	}
	/* The next loop on the path is around both. */
	for (next = heads[next]; next != NO_LOOP && !search->places[next] && search->steps;
	     next = heads[next])
		search->steps--;
	if (next != NO_LOOP)
		put_in_loop(search, at, next);
}

static void enter(struct search *search, u32 at)
{
	search->path[search->depth++] = at;
	search->places[at] = search->depth;
	search->ways[at] = 1;
}

/* Leave the last instruction of the path. It is in the same loops as the one before it. */
static void leave(struct search *search)
{
	u32 at = search->path[--search->depth], head = search->loops->heads[at];

	search->places[at] = 0;
	if (search->depth && head != NO_LOOP)
		put_in_loop(search, search->path[search->depth - 1], head);
}

static void search_from(struct search *search, u32 start)
{
	u32 at, next;

	enter(search, start);
	while (search->depth && search->steps) {
		at = search->path[search->depth - 1];
		if (search->ways[at] > NR_WAYS) {
			leave(search);
			continue;
		}
		next = way_from(search->all, at, search->ways[at]++ - 1);
		if (next == NO_LOOP)
			continue;
		if (search->ways[next])
			close_way(search, at, next);
		else
			enter(search, next);
	}
}

/* Return the number of loops around instruction @at, at most LOOPS_DEEPEST + 1. */
u32 loops_depth(const struct loops *loops, u32 at)
{
	u32 head = loops_innermost(loops, at), depth;

	for (depth = 0; head != NO_LOOP && depth <= LOOPS_DEEPEST; depth++)
		head = loops->heads[head];
	return depth;
}

static bool is_too_deep(const struct loops *loops, u32 nr)
{
	u32 i;

	for (i = 0; i < nr; i++) {
		if (loops->is_head[i] && loops_depth(loops, i) > LOOPS_DEEPEST)
			return true;
	}
	return false;
}

static void run(struct search *search)
{
	struct loops *loops = search->loops;
	u32 i, nr = search->all->nr;

	memset(loops->heads, 0xff, nr * sizeof(*loops->heads));
	for (i = 0; i < nr && search->steps; i++) {
		if (!search->ways[i])
			search_from(search, i);
	}
	if (!search->steps || is_too_deep(loops, nr)) {
		loops->is_left_out = true;
		memset(loops->heads, 0xff, nr * sizeof(*loops->heads));
		memset(loops->is_head, 0, nr * sizeof(*loops->is_head));
	}
	for (i = 0; i < nr; i++)
		loops->nr += loops->is_head[i];
}

/* Find the loops of a function. Call loops_free() even if this fails. */
int loops_find(struct loops *loops, const struct instructions *all)
{
	struct search search = { .all = all, .loops = loops,
				 .steps = all->nr * MAX_STEPS + LEAST_STEPS };
	int err = -ENOMEM;

	*loops = (struct loops){ 0 };
	loops->heads = calloc(all->nr + 1, sizeof(*loops->heads));
	loops->is_head = calloc(all->nr + 1, sizeof(*loops->is_head));
	search.path = calloc(all->nr + 1, sizeof(*search.path));
	search.places = calloc(all->nr + 1, sizeof(*search.places));
	search.ways = calloc(all->nr + 1, sizeof(*search.ways));
	if (loops->heads && loops->is_head && search.path && search.places && search.ways) {
		run(&search);
		err = 0;
	}
	free(search.path);
	free(search.places);
	free(search.ways);
	return err;
}

void loops_free(struct loops *loops)
{
	free(loops->heads);
	free(loops->is_head);
	*loops = (struct loops){ 0 };
}
