/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - build the profiles of a recording's events from its records
 *
 * The file is read once. Memory grows with the number of different addresses, entries and
 * call paths, not with the number of samples.
 *
 * A sample is counted in the entries of its place and of its callers, and once in each
 * (seen.h). If no sample of an event has callers, the samples of an entry and those of its
 * callees are the same sums. Samples without a function are counted by reason.
 */
#ifndef TPROF_GATHER_H
#define TPROF_GATHER_H

#include "perfdata/losses.h"
#include "perfdata/stat_counts.h"
#include "profile/gather_filter.h"
#include "profile/hits.h"
#include "profile/parents.h"
#include "profile/stacks.h"
#include "profile/thread_counts.h"
#include "profile/wakers.h"

/* Maximum length of a call path: the name of the thread, then all frames. */
#define GATHER_PATH_MAX	(FRAMES_MAX + 1)

enum gather_children {
	CHILDREN_AUTO,	/* yes if samples have call chains */
	CHILDREN_NO,
	CHILDREN_YES,
};

struct gather;

/**
 * struct gather_options - which samples to take and how to group them
 * @keys:	keys to group samples by
 * @filter:	which samples to take
 * @children:	add samples of callees to their callers
 * @trees:	keep a call tree per entry
 * @chain_trees: the same, if samples have call chains
 * @callers_first: call trees begin with the outermost function
 * @paths:	instead of entries, keep whole call paths, which begin with a thread name
 * @threads:	keep the counts of threads as well
 * @wakers:	take samples of time off CPU only, each with the wakeup that ended the time: in
 *		call trees and paths, the call chain of the waker is below the frames. Needs
 *		@callers_first
 * @parent:	find the function in each call chain that this expression matches; may be NULL
 * @slice:	length of the slices of key time in nanoseconds; 0 without this key
 * @latency:	weigh samples by latency, the period divided by the parallelism. Paths have
 *		latencies; entries get them from latency_merge()
 * @progress:	record_visitor.progress
 * @names:	keeps the texts of the key thread; NULL for a set in gather.world
 * @settle:	called by gather_settle_stacks(), to take gather.stacks instead of counting
 *		them. Then functions are not looked up. NULL to count the stacks
 * @find:	finds the function at a frame of a stack; NULL for world_find_function()
 * @arg:	argument of @settle and @find
 */
struct gather_options {
	struct profile_keys keys;
	struct gather_filter filter;
	enum gather_children children;
	bool	trees;
	bool	chain_trees;
	bool	callers_first;
	bool	paths;
	bool	threads;
	bool	wakers;
	const regex_t *parent;
	u64	slice;
	bool	latency;
	void	(*progress)(const struct reader *reader);
	struct interned *names;
	int	(*settle)(struct gather *gather, void *arg);
	int	(*find)(void *arg, struct spot *spot);
	void	*arg;
};

/* How the samples of an event are counted. */
enum gather_way {
	WAY_UNKNOWN,	/* not chosen yet */
	WAY_LEFT_OUT,	/* not at all: the filter does not take the event */
	WAY_BY_PLACE,	/* many at a time (places.h) */
	WAY_BY_STACK,	/* by call stack (stacks.h) */
	WAY_ALONE,	/* one by one */
};

/**
 * struct gather - the profiles of a file, and the state of reading it
 * @options:	see struct gather_options
 * @keys:	keys of the profiles: gather_options.keys or, with gather_options.paths,
 *		gather_path_keys()
 * @reader:	reads the file, in gather_all()
 * @needed:	PERF_SAMPLE_* fields that @options need
 * @sample:	the current sample
 * @world:	tasks, mappings and binaries at the time of the current record
 * @hits:	samples that are counted by place
 * @stacks:	samples that are counted by call stack
 * @ways:	enum gather_way of each event, indexed by event
 * @losses:	lost samples
 * @threads:	counts of threads
 * @counts:	counts of whole events
 * @wakers:	wakeups, with gather_options.wakers
 * @waker:	what ended the wait of the current sample, or NULL
 * @parents:	functions that gather_options.parent was tried on
 * @profiles:	indexed by event, NULL for an event without samples
 * @nr_profiles: length of @profiles
 * @first_time:	time of the first sample in the file, whether counted or not
 * @last_time:	time of the last one; 0 if no sample has a time
 * @samples:	number of samples that were counted
 * @unresolved:	number of samples with each enum symbol_status
 * @chain:	frames of the current sample or stack
 * @path:	keys of the call path that is being added
 * @seen:	entries of the sample or stack that is being counted
 * @children:	samples of callees are added to their callers
 * @has_chains:	some samples have call chains
 * @has_groups:	some samples have counts of other events
 * @nr_not_understood: reader_not_understood()
 * @nr_nodes:	number of nodes in all call trees
 * @nr_continued: number of samples completed by deferred call chains
 * @paths_left_out: number of call paths left out because of NODES_MAX, one for
 *		each sample and call tree
 */
struct gather {
	const struct gather_options *options;
	struct profile_keys keys;
	struct reader *reader;
	u64	needed;
	struct sample sample;
	struct world world;
	struct hits hits;
	struct stacks stacks;
	u8	ways[READER_MAX_EVENTS];
	struct losses losses;
	struct thread_counts threads;
	struct stat_counts counts;
	struct wakers wakers;
	const struct waker *waker;
	struct parents parents;
	struct profile **profiles;
	u32	nr_profiles;
	u64	first_time;
	u64	last_time;
	u64	samples;
	u64	unresolved[SYMBOL_NR_STATUS];
	struct chain chain;
	u64	*path;
	struct seen seen;
	bool	children;
	bool	has_chains;
	bool	has_groups;
	u64	nr_not_understood;
	u64	nr_nodes;
	u64	nr_continued;
	u64	paths_left_out;
};

/* Return the start of the slice of key time that has @time, or 0 without this key. */
static inline u64 gather_slice(const struct gather_options *options, u64 time)
{
	return options->slice ? time - time % options->slice : 0;
}

/* Return true if samples are added to call trees. */
static inline bool gather_keeps_trees(const struct gather *gather)
{
	return gather->options->trees || (gather->options->chain_trees && gather->has_chains);
}

int gather_init(struct gather *gather, const struct gather_options *options,
		const struct symbol_options *symbols, const struct reader *reader);
int gather_all(struct gather *gather, struct reader *reader);
struct profile *gather_profile(struct gather *gather, const struct reader *reader, u32 event);
bool gather_has_events(const struct gather *gather, const struct reader *reader);
void gather_free(struct gather *gather);

struct profile_keys gather_path_keys(void);
bool gather_has_callers(const struct gather *gather, const struct perf_event_attr *attr);
int gather_add_paths(struct gather *gather, struct profile *profile);
int gather_count_stack(struct gather *gather, struct profile *profile, const struct stack *stack);
int gather_settle_stacks(struct gather *gather);
int gather_add_stack(struct gather *gather, struct profile *profile,
		     const struct perf_event_attr *attr, const struct sample *sample, u16 misc);
int gather_note_waker(struct gather *gather, const struct perf_event_attr *attr,
		      const struct sample *sample, u16 misc);
int gather_add_alone(struct gather *gather, struct profile *profile,
		     const struct perf_event_attr *attr, const struct sample *sample, u16 misc);

#endif /* TPROF_GATHER_H */
