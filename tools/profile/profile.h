/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - a profile, which groups the samples of one event by keys
 */
#ifndef TPROF_PROFILE_H
#define TPROF_PROFILE_H

#include "base/arena.h"
#include "profile/call_tree.h"
#include "profile/columns.h"
#include "profile/places.h"

#define PROFILE_MAX_KEYS	8

/**
 * struct profile_entry - a group of samples with equal keys
 * @tally:	values of the group
 * @number:	index in profile.entries
 * @stamp:	profile.samples when a sample was last counted in the entry
 * @tree:	root of the call tree, or NULL
 * @keys:	the keys
 */
struct profile_entry {
	struct tally tally;
	u32	number;
	u64	stamp;
	struct call_node *tree;
	u64	keys[];
};

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
 * struct entry_key - identity of an entry
 * @keys:	its keys
 * @nr:		number of @keys
 * @hash:	hash of @keys
 */
struct entry_key {
	u64	keys[PROFILE_MAX_KEYS];
	size_t	nr;
	u64	hash;
};

/**
 * struct callee_tally - samples of an entry's callees, not yet in profile_entry.tally
 * @period:	sum of the periods of these samples
 * @samples:	number of these samples
 * @stamp:	places_take() of the last sample that was in the entry or in a callee
 */
struct callee_tally {
	u64	period;
	u32	samples;
	u32	stamp;
};

/**
 * struct profile - the samples of one event
 * @event:	name of the event
 * @keys:	columns that samples are grouped by
 * @table:	the entries
 * @memory:	holds the entries
 * @entries:	the entries in the order of their first samples
 * @entry_room:	capacity of @entries
 * @places:	samples that are not yet added to the entries, by place
 * @callees:	indexed by profile_entry.number; NULL until callers are counted by place
 * @nr_callees:	length of @callees; entries with higher numbers have no samples
 *		of callees
 * @trees:	nodes of the call trees
 * @paths:	root of the tree of whole call paths; used with gather_options.paths
 * @period:	sum of the periods of all samples
 * @samples:	number of samples
 * @off_period:	the part of @period that is time off CPU; 0 before wall_merge()
 * @sorted:	the entries in the order of profile_sort()
 */
struct profile {
	const char *event;
	const struct profile_keys *keys;
	struct hash_table table;
	struct arena memory;
	struct profile_entry **entries;
	size_t	entry_room;
	struct places places;
	struct callee_tally *callees;
	size_t	nr_callees;
	struct call_trees trees;
	struct call_node paths;
	u64	period;
	u64	samples;
	u64	off_period;
	struct profile_entry **sorted;
};

struct entry_key profile_key(const struct profile *profile, const u64 *keys);
struct entry_key entry_key(const struct profile *profile, const struct hit *hit);
void profile_expect(const struct profile *profile, const struct entry_key *key);
struct profile_entry *profile_get(struct profile *profile, const struct entry_key *key);
int profile_grow_callees(struct profile *profile);
void profile_add_up(struct profile *profile, u64 *statuses);
int profile_add_path(struct profile *profile, struct profile_entry *entry, const u64 *keys,
		     size_t nr, const struct call_weight *weight);
int profile_sort(struct profile *profile, u64 (*value)(const struct tally *tally));
void profile_free(struct profile *profile);

/* Make sure that profile.callees has an element for each entry. The array may move. */
static inline int profile_reserve_callees(struct profile *profile)
{
	return profile->nr_callees < profile->table.nr ? profile_grow_callees(profile) : 0;
}

#endif /* TPROF_PROFILE_H */
