/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - from the records of a file to profiles of its events
 *
 * One pass over the file. Memory grows with what is different: addresses,
 * entries, call paths; never with the number of samples.
 */
#ifndef TPROF_GATHER_H
#define TPROF_GATHER_H

#include "perfdata/losses.h"
#include "profile/gather_filter.h"
#include "profile/profile.h"
#include "world/chain.h"

enum gather_children {
	CHILDREN_AUTO,	/* if there are call chains */
	CHILDREN_NO,
	CHILDREN_YES,
};

/**
 * struct gather_options - what is wanted
 * @keys:	what samples are told apart by
 * @filter:	which samples
 * @children:	is a function also to have what it calls?
 * @trees:	keep call chains with the entries
 * @callers_first: these begin with the outermost function
 * @paths:	keep whole call paths by thread name, and nothing else
 * @progress:	called now and then, may be NULL
 */
struct gather_options {
	struct profile_keys keys;
	struct gather_filter filter;
	enum gather_children children;
	bool	trees;
	bool	callers_first;
	bool	paths;
	void	(*progress)(const struct reader *reader);
};

/**
 * struct gather - the pass over a file
 * @options:	what is wanted
 * @needed:	what a sample has to have for them, PERF_SAMPLE_*
 * @sample:	the present sample
 * @world:	tasks, mappings, binaries, as of now
 * @losses:	what was lost
 * @profiles:	by the number of the event, NULL for those without samples
 * @nr_profiles: how many there is room for
 * @samples:	samples that were looked at
 * @unresolved:	of these, how many have no symbol, by reason
 * @chain:	the call chain of the present sample
 * @path:	the same as keys, in the order that is wanted
 * @children:	functions have what they call counted, too
 * @has_chains:	some samples have call chains
 * @has_groups:	some samples have counts of other events
 * @nr_nodes:	places in all call trees
 * @nr_continued:	call chains whose end came in a later record
 * @paths_left_out: call paths for which there was no room there
 */
struct gather {
	const struct gather_options *options;
	u64	needed;
	struct sample sample;
	struct world world;
	struct losses losses;
	struct profile **profiles;
	u32	nr_profiles;
	u64	samples;
	u64	unresolved[SYMBOL_NR_STATUS];
	struct chain chain;
	u64	*path;
	bool	children;
	bool	has_chains;
	bool	has_groups;
	u64	nr_nodes;
	u64	nr_continued;
	u64	paths_left_out;
};

int gather_init(struct gather *gather, const struct gather_options *options,
		const struct symbol_options *symbols, const struct reader *reader);
int gather_all(struct gather *gather, struct reader *reader);
bool gather_has_events(const struct gather *gather, const struct reader *reader);
void gather_free(struct gather *gather);

#endif /* TPROF_GATHER_H */
