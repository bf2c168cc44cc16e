/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - a profile: samples of one event, grouped by keys
 */
#ifndef TPROF_PROFILE_H
#define TPROF_PROFILE_H

#include "profile/call_tree.h"
#include "profile/columns.h"

#define PROFILE_MAX_KEYS	8

/**
 * struct profile_entry - a group of samples with equal keys
 * @tally:	values of the group
 * @stamp:	profile.samples when a sample was last counted here
 * @tree:	root of the call tree, or NULL
 * @keys:	the keys
 */
struct profile_entry {
	struct tally tally;
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
 * struct profile - the samples of one event
 * @event:	name of the event
 * @keys:	columns that samples are grouped by
 * @table:	the entries
 * @trees:	nodes of the call trees
 * @paths:	root of the whole call paths, with gather_options.paths
 * @period:	sum of the periods of all samples
 * @samples:	number of samples
 * @sorted:	the entries in the order of profile_sort()
 */
struct profile {
	const char *event;
	const struct profile_keys *keys;
	struct hash_table table;
	struct call_trees trees;
	struct call_node paths;
	u64	period;
	u64	samples;
	struct profile_entry **sorted;
};

struct profile_entry *profile_get(struct profile *profile, const struct hit *hit);
int profile_add_path(struct profile *profile, struct profile_entry *entry, const u64 *keys,
		     size_t nr, u64 period);
int profile_sort(struct profile *profile, u64 (*value)(const struct tally *tally));
void profile_free(struct profile *profile);

#endif /* TPROF_PROFILE_H */
