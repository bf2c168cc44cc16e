/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx annotate - a function as its instructions, with the samples of each
 *
 * The model has no terminal in it: formats print it, and a screen can show it.
 */
#ifndef TPROF_LISTING_H
#define TPROF_LISTING_H

#include "annotate/disassembly.h"
#include "code/arrows.h"
#include "code/loops.h"

/* Index of no instruction. */
#define LISTING_NONE	(~0U)

/**
 * struct listing_place - where an instruction is in the source code
 * @path:	source file, NULL if unknown
 * @line:	its line, 0 if unknown
 * @inlined:	index in listing.inlined of the innermost function that is inlined there, plus 1;
 *		0 for none
 */
struct listing_place {
	const char *path;
	u32	line;
	u32	inlined;
};

/**
 * struct listing_inlined - a function that is inlined into the function
 * @name:	its name
 * @path:	source file of the call, NULL if unknown
 * @line:	line of the call, 0 if unknown
 */
struct listing_inlined {
	const char *name;
	const char *path;
	u32	line;
};

/**
 * struct listing - a function
 * @function:	the function
 * @nr_events:	number of events
 * @status:	CODE_FOUND, or why there are no instructions
 * @code:	its machine code
 * @all:	its instructions
 * @tallies:	samples of each instruction: for each one, @nr_events tallies
 * @strays:	for each event, the samples at addresses that are in no instruction
 * @hottest:	index of the instruction with the most samples, or LISTING_NONE
 * @arrows:	its jumps
 * @loops:	its loops
 * @loop_tallies: samples in each loop, by the loop's first instruction, like @tallies
 * @loop_ends:	for the first instruction of each loop, the last one of the loop
 * @places:	for each instruction, its place in the source code; NULL if not wanted
 * @directory:	directory that relative paths of source files begin in, NULL if unknown
 * @inlined:	functions that are inlined
 * @nr_inlined:	number of @inlined
 * @room:	capacity of @inlined
 * @texts:	memory of names
 */
struct listing {
	const struct hot_function *function;
	u32	nr_events;
	enum code_status status;
	struct function_code code;
	struct instructions all;
	struct tally *tallies;
	struct tally *strays;
	u32	hottest;
	struct arrows arrows;
	struct loops loops;
	struct tally *loop_tallies;
	u32	*loop_ends;
	struct listing_place *places;
	const char *directory;
	struct listing_inlined *inlined;
	size_t	nr_inlined;
	size_t	room;
	struct arena texts;
};

/**
 * struct listing_target - the function that an instruction refers to
 * @name:	its name, NULL if the target is in no function
 * @offset:	(target) - (start of the function)
 */
struct listing_target {
	const char *name;
	u64	offset;
};

int listing_make(struct listing *listing, struct disassembly *disassembly,
		 const struct hot_function *function, u32 nr_events);
int listing_count(struct listing *listing);
struct listing_target listing_target(const struct listing *listing, struct objects *objects,
				     u32 at);
int listing_find_places(struct listing *listing, struct symbol_sources *sources);
bool listing_has_lines(const struct listing *listing);
struct tally listing_place_sum(const struct listing *listing, u32 at, u32 event);
void listing_free(struct listing *listing);

/* Return the samples of event @event at instruction @at. */
static inline struct tally *listing_tally(const struct listing *listing, u32 at, u32 event)
{
	return &listing->tallies[(size_t)at * listing->nr_events + event];
}

/* Return the share of the function's samples of an event, in percent. */
static inline double listing_share(const struct listing *listing, u32 event,
				   const struct tally *tally)
{
	u64 sum = listing->function->sums[event].period;

	return sum ? 100.0 * tally->period / sum : 0;
}

/* Return true if instruction @at is in another place than the one before it. */
static inline bool listing_has_new_place(const struct listing *listing, u32 at)
{
	const struct listing_place *place = &listing->places[at];

	return !at || place->path != place[-1].path || place->line != place[-1].line ||
	       place->inlined != place[-1].inlined;
}

/* Return true if instruction @at has another source line than the one before it. */
static inline bool listing_has_new_line(const struct listing *listing, u32 at)
{
	return listing->places[at].path && listing_has_new_place(listing, at);
}

/* Return true if another inlined function begins at instruction @at. */
static inline bool listing_has_new_inlined(const struct listing *listing, u32 at)
{
	const struct listing_place *place = &listing->places[at];

	return place->inlined && (!at || place->inlined != place[-1].inlined);
}

#endif /* TPROF_LISTING_H */
