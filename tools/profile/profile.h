/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - a profile, which groups the samples of one event by keys
 */
#ifndef TPROF_PROFILE_H
#define TPROF_PROFILE_H

#include "perfdata/parallelism.h"
#include "profile/call_tree.h"
#include "profile/entries.h"
#include "profile/places.h"

struct order;

/**
 * struct profile_keys - columns that samples are grouped by
 * @columns:	the columns
 * @nr:		number of @columns
 */
struct profile_keys {
	const struct column *columns[PROFILE_MAX_KEYS];
	size_t	nr;
};

/**
 * struct profile - the samples of one event
 * @event:	name of the event
 * @keys:	columns that samples are grouped by
 * @entries:	the entries, numbered in the order of their first samples
 * @places:	the entries of places
 * @roots:	roots of the call trees, indexed by entry; NULL until a path is added
 * @nr_roots:	length of @roots; entries with higher numbers have no call tree
 * @trees:	nodes of the call trees
 * @paths:	root of the tree of whole call paths; used with gather_options.paths
 * @period:	sum of the periods of all samples
 * @samples:	number of samples
 * @off_period:	the part of @period that is time off CPU; 0 before wall_merge()
 * @latency:	sum of the latencies of all samples, with gather_options.latency
 * @spent:	sum of the periods after latency_merge(), when @period is the sum of the latencies
 * @sorted:	numbers of the entries in the order of profile_sort()
 */
struct profile {
	const char *event;
	const struct profile_keys *keys;
	struct entries entries;
	struct places places;
	struct call_node **roots;
	size_t	nr_roots;
	struct call_trees trees;
	struct call_node paths;
	u64	period;
	u64	samples;
	u64	off_period;
	struct latency_sum latency;
	u64	spent;
	u32	*sorted;
};

size_t profile_find_key(const struct profile_keys *keys, const struct column *column);
struct entry_key profile_key(const struct profile *profile, const u64 *keys);
struct entry_key entry_key(const struct profile *profile, const struct hit *hit);
struct call_node *profile_root(struct profile *profile, u32 entry);
int profile_add_path(struct profile *profile, u32 entry, const u64 *keys, size_t nr,
		     const struct call_weight *weight);
int profile_sort(struct profile *profile, u64 (*value)(const struct profile_entry *entry));
int profile_sort_by_key(const struct profile *profile, struct order *order, size_t key);
void profile_free(struct profile *profile);

/* Return the entry at position @at in the order of profile_sort(). */
static inline struct profile_entry profile_sorted(const struct profile *profile, size_t at)
{
	return entries_at(&profile->entries, profile->sorted[at]);
}

/* Return the root of the call tree of entry number @entry, or NULL. */
static inline struct call_node *profile_tree(const struct profile *profile, u32 entry)
{
	return entry < profile->nr_roots ? profile->roots[entry] : NULL;
}

#endif /* TPROF_PROFILE_H */
