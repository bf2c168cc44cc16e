// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx annotate - source lines and inlined functions of a function's instructions
 *
 * Inlined functions are read from DWARF once for each function, not for each instruction.
 */
#include <errno.h>
#include <stdlib.h>

#include "annotate/listing.h"
#include "base/array.h"
#include "symbols/demangle.h"
#include "symbols/object_dwarf.h"

/* Number of instructions to mark as inlined, for each instruction of the function. */
#define MAX_MARKS	64
#define LEAST_MARKS	65536

/**
 * struct marking - state of marking inlined functions
 * @listing:	the function
 * @is_plain:	do not demangle names
 * @marks:	number of instructions that may still be marked
 */
struct marking {
	struct listing *listing;
	bool	is_plain;
	u64	marks;
};

/* Return true if the source line of an instruction is known. */
bool listing_has_lines(const struct listing *listing)
{
	size_t at;

	for (at = 0; listing->places && at < listing->all.nr; at++) {
		if (listing->places[at].path)
			return true;
	}
	return false;
}

/* Return the samples of instruction @at and of all that follow it in the same place. */
struct tally listing_place_sum(const struct listing *listing, u32 at, u32 event)
{
	struct tally sum = *listing_tally(listing, at, event);
	const struct tally *tally;

	for (at++; at < listing->all.nr && !listing_has_new_place(listing, at); at++) {
		tally = listing_tally(listing, at, event);
		sum.period += tally->period;
		sum.samples += tally->samples;
	}
	return sum;
}

static struct listing_inlined *add_inlined(struct marking *marking, const struct inline_call *call)
{
	struct listing *listing = marking->listing;
	struct listing_inlined *list = array_grow(listing->inlined, listing->nr_inlined,
						  &listing->room, sizeof(*list));
	char *plain = marking->is_plain ? NULL : demangle(call->name);

	if (list) {
		listing->inlined = list;
		list += listing->nr_inlined;
		list->name = arena_text(&listing->texts, plain ? plain : call->name);
		list->path = call->path;
		list->line = call->line > 0 ? call->line : 0;
	}
	free(plain);
	return list && list->name ? list : NULL;
}

/* Mark the instructions of an inlined function. */
static int mark_range(void *arg, const struct inline_range *range)
{
	struct marking *marking = arg;
	struct listing *listing = marking->listing;
	u64 start = range->start + listing->code.moved, end = range->end + listing->code.moved;
	size_t at = instructions_find(&listing->all, start);

	if (at == listing->all.nr)
		return 0;
	if (!add_inlined(marking, &range->call))
		return -ENOMEM;
	listing->nr_inlined++;
	for (; at < listing->all.nr && listing->all.list[at].addr < end; at++) {
		if (!marking->marks--)
			return -E2BIG;
		listing->places[at].inlined = listing->nr_inlined;
	}
	return 0;
}

/* Find the source line and the inlined function of each instruction. */
int listing_find_places(struct listing *listing, struct symbol_sources *sources)
{
	struct object *object = listing->function->object;
	struct marking marking = { listing, sources->options.no_demangle,
				   MAX_MARKS * listing->all.nr + LEAST_MARKS };
	struct source source;
	size_t at;
	int err;

	listing->places = calloc(listing->all.nr + 1, sizeof(*listing->places));
	if (!listing->places)
		return -ENOMEM;
	listing->directory = object_directory(sources, object, listing->function->symbol->start);
	for (at = 0; at < listing->all.nr; at++) {
		source = object_source(sources, object,
				       listing->all.list[at].addr - listing->code.moved);
		listing->places[at].path = source.path;
		listing->places[at].line = source.path && source.line > 0 ? source.line : 0;
	}
	err = listing->all.nr ? object_each_range(sources, object, listing->function->symbol->start,
						  mark_range, &marking) : 0;
	return err == -E2BIG ? 0 : err;
}
