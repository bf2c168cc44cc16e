/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - a profile: what samples have in common, and how many do
 */
#ifndef TPROF_PROFILE_H
#define TPROF_PROFILE_H

#include "profile/call_tree.h"
#include "profile/columns.h"

#define PROFILE_MAX_KEYS	8

/**
 * struct profile_entry - samples that are alike
 * @tally:	what is counted of them
 * @stamp:	number of the sample that was counted last
 * @tree:	their call chains, NULL where these are not kept
 * @keys:	what they have in common
 */
struct profile_entry {
	struct tally tally;
	u64	stamp;
	struct call_node *tree;
	u64	keys[];
};

/**
 * struct profile_keys - what samples are told apart by
 * @columns:	the keys
 * @nr:		how many
 */
struct profile_keys {
	const struct column *columns[PROFILE_MAX_KEYS];
	size_t	nr;
};

/**
 * struct profile - of one event
 * @event:	its name
 * @keys:	what samples are told apart by
 * @table:	the entries
 * @trees:	their call chains
 * @paths:	whole paths of all samples, when these are wanted instead
 * @period:	of all samples
 * @samples:	how many there are
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
