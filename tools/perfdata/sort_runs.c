// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - sort records that consist of a few sorted runs
 *
 * This is a natural merge sort: each pass finds the sorted runs, and merges up to MAX_RUNS
 * adjacent runs at a time. One pass suffices for as many CPUs.
 */
#include "perfdata/sort_runs.h"

#define RUN_BITS	6
#define MAX_RUNS	(1U << RUN_BITS)

/*
 * The times of the heads that meet in one tournament differ by less than SPAN, so that a
 * time and the index of a run fit in 64 bits, and none is NO_HEAD.
 */
#define SPAN		(1ULL << (63 - RUN_BITS))
#define NO_HEAD		(~0ULL)

/**
 * struct runs - adjacent runs to merge
 * @at:		the first record of each run that is not merged yet
 * @end:	end of each run
 * @nr:		number of runs
 * @next:	head_of() of the second record of each run, so that replay() need not wait for it
 * @base:	time of the earliest record when the tournament began
 * @losers:	a tournament tree of the heads of the runs, as head_of() returns them. Node 1
 *		is the root, and the children of node N are nodes 2 N and 2 N + 1. A node has
 *		the later one of the two heads that met there; the earlier one went on to its
 *		parent.
 * @room:	number of leaves of the tree, a power of two
 */
struct runs {
	const struct waiting *at[MAX_RUNS];
	const struct waiting *end[MAX_RUNS];
	size_t	nr;
	u64	next[MAX_RUNS];
	u64	base;
	u64	losers[MAX_RUNS];
	size_t	room;
};

/* Find the next runs from @from on, at most MAX_RUNS. Return the end of the last one. */
static const struct waiting *find_runs(struct runs *runs, const struct waiting *from,
				       const struct waiting *end)
{
	for (runs->nr = 0; runs->nr < MAX_RUNS && from < end; runs->nr++) {
		runs->at[runs->nr] = from++;
		while (from < end && from[-1].time <= from->time)
			from++;
		runs->end[runs->nr] = from;
	}
	for (runs->room = 1; runs->room < runs->nr; runs->room *= 2)
		;
	return from;
}

/*
 * Return a number for record runs.at[@run][@nr]: the smaller, the earlier. Among records with
 * equal times, that of the earlier run is first.
 */
static inline u64 head_of(const struct runs *runs, size_t run, ptrdiff_t nr)
{
	u64 after;

	if (runs->end[run] - runs->at[run] <= nr)
		return NO_HEAD;
	after = runs->at[run][nr].time - runs->base;
	return after < SPAN ? after << RUN_BITS | run : NO_HEAD;
}

/* Return the head of a run, and set runs.next. */
static u64 first_head(struct runs *runs, size_t run)
{
	if (run >= runs->nr)
		return NO_HEAD;
	runs->next[run] = head_of(runs, run, 1);
	return head_of(runs, run, 0);
}

/* Let the heads below @node meet. Return the earliest one. */
static u64 play(struct runs *runs, size_t node)
{
	u64 left, right;

	if (node >= runs->room)
		return first_head(runs, node - runs->room);
	left = play(runs, 2 * node);
	right = play(runs, 2 * node + 1);
	runs->losers[node] = left < right ? right : left;
	return left < right ? left : right;
}

/* The run of the winner has a new head: let it meet the losers. Return the earliest head. */
static inline u64 replay(struct runs *runs, size_t run)
{
	u64 winner = runs->next[run], loser;
	size_t node;

	runs->next[run] = head_of(runs, run, 1);
	for (node = (runs->room + run) / 2; node; node /= 2) {
		loser = runs->losers[node];
		runs->losers[node] = loser < winner ? winner : loser;
		winner = loser < winner ? loser : winner;
	}
	return winner;
}

/* Set runs.base to the time of the earliest record. Return false if no record is left. */
static bool find_base(struct runs *runs)
{
	bool found = false;
	size_t run;

	for (run = 0; run < runs->nr; run++) {
		if (runs->at[run] == runs->end[run])
			continue;
		if (!found || runs->at[run]->time < runs->base)
			runs->base = runs->at[run]->time;
		found = true;
	}
	return found;
}

/* Merge @runs into @to. */
static void merge(struct runs *runs, struct waiting *to)
{
	size_t run;
	u64 winner;

	while (find_base(runs)) {
		for (winner = play(runs, 1); winner != NO_HEAD; winner = replay(runs, run)) {
			run = winner % MAX_RUNS;
			*to++ = *runs->at[run]++;
		}
	}
}

/*
 * Sort @nr records by time. Records with equal times keep their order.
 *
 * @scratch: memory for as many records
 *
 * Return true if the result is in @scratch, and false if it is in @records.
 */
bool sort_runs(struct waiting *records, struct waiting *scratch, size_t nr)
{
	struct waiting *from = records, *to = scratch, *swap;
	const struct waiting *end, *at, *next;
	struct runs runs;
	size_t merges;

	do {
		end = from + nr;
		for (at = from, merges = 0; at < end; at = next, merges++) {
			next = find_runs(&runs, at, end);
			merge(&runs, to + (at - from));
		}
		swap = from;
		from = to;
		to = swap;
	} while (merges > 1);
	return from != records;
}
