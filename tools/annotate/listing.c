// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx annotate - a function as its instructions, with the samples of each
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "annotate/listing.h"

/* Add the samples of each address to those of its instruction. */
static void count_samples(struct listing *listing)
{
	const struct hot_address *address;
	size_t i, at;

	for (i = 0; i < listing->function->nr; i++) {
		address = &listing->function->addresses[i];
		at = instructions_find(&listing->all, address->addr + listing->code.moved);
		tally_add(at < listing->all.nr ? listing_tally(listing, at, address->event) :
						 &listing->strays[address->event],
			  &address->tally);
	}
}

/* Find the instruction with the largest share of the samples of an event. */
static void find_hottest(struct listing *listing)
{
	double share, most = 0;
	u32 at, event;

	listing->hottest = LISTING_NONE;
	for (at = 0; at < listing->all.nr; at++) {
		for (event = 0; event < listing->nr_events; event++) {
			share = listing_share(listing, event, listing_tally(listing, at, event));
			if (share <= most)
				continue;
			most = share;
			listing->hottest = at;
		}
	}
}

/* Add the samples of each instruction to those of all loops around it. */
static void count_loops(struct listing *listing)
{
	u32 at, head, event;

	for (at = 0; at < listing->all.nr; at++) {
		for (head = loops_innermost(&listing->loops, at); head != NO_LOOP;
		     head = listing->loops.heads[head]) {
			if (at > listing->loop_ends[head])
				listing->loop_ends[head] = at;
			for (event = 0; event < listing->nr_events; event++)
				tally_add(&listing->loop_tallies[(size_t)head * listing->nr_events +
								 event],
					  listing_tally(listing, at, event));
		}
	}
}

/*
 * Find out all about the instructions in @listing->all, except their places in the source code.
 */
int listing_count(struct listing *listing)
{
	size_t nr = listing->all.nr + 1;
	int err;

	listing->tallies = calloc(nr * listing->nr_events + 1, sizeof(*listing->tallies));
	listing->loop_tallies = calloc(nr * listing->nr_events + 1, sizeof(*listing->loop_tallies));
	listing->strays = calloc(listing->nr_events + 1, sizeof(*listing->strays));
	listing->loop_ends = calloc(nr, sizeof(*listing->loop_ends));
	if (!listing->tallies || !listing->loop_tallies || !listing->strays || !listing->loop_ends)
		return -ENOMEM;
	count_samples(listing);
	find_hottest(listing);
	err = arrows_make(&listing->arrows, &listing->all);
	if (!err)
		err = loops_find(&listing->loops, &listing->all);
	if (!err)
		count_loops(listing);
	return err;
}

/*
 * Make the listing of a function. Call listing_free() even if this fails. Return 0 or -ENOMEM:
 * a function without code has a listing without instructions, and listing.status says why.
 *
 * @function: one of the functions of @disassembly, or any other one
 */
int listing_make(struct listing *listing, struct disassembly *disassembly,
		 const struct hot_function *function, u32 nr_events)
{
	int err = 0;

	*listing = (struct listing){ .function = function, .nr_events = nr_events,
				     .hottest = LISTING_NONE };
	listing->status = code_find(disassembly->sources, function->object, function->symbol,
				    &listing->code);
	if (listing->status == CODE_NO_MEMORY)
		return -ENOMEM;
	if (listing->status == CODE_FOUND)
		err = disassemble(disassembly, function, &listing->code, &listing->all);
	return err ? err : listing_count(listing);
}

/* Find the function that the target of instruction @at is in. */
struct listing_target listing_target(const struct listing *listing, struct objects *objects, u32 at)
{
	const struct instruction *from = &listing->all.list[at];
	struct object *object = listing->function->object;
	struct listing_target target = { 0 };
	struct symbol *symbol;
	u64 addr;

	if (!from->has_target || !code_object_addr(object, &listing->code, from->target, &addr))
		return target;
	symbol = object_resolve(objects, object, addr);
	/* Data has no symbols, but the address of a function may be one. */
	if (!symbol || !symbol->name || (from->flow == FLOW_NEXT && addr != symbol->start))
		return target;
	target.name = symbol->name;
	target.offset = addr - symbol->start;
	return target;
}

void listing_free(struct listing *listing)
{
	instructions_free(&listing->all);
	code_free(&listing->code);
	arrows_free(&listing->arrows);
	loops_free(&listing->loops);
	arena_free(&listing->texts);
	free(listing->tallies);
	free(listing->strays);
	free(listing->loop_tallies);
	free(listing->loop_ends);
	free(listing->places);
	free(listing->inlined);
	*listing = (struct listing){ 0 };
}
