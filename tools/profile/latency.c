// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - weigh the entries and call trees of profiles by latency
 */
#include <errno.h>
#include <stdlib.h>

#include "profile/latency.h"

/* Add a group of @samples, all with the same parallelism, to the sums of an entry. */
static void add_group(struct tally *tally, u64 *spent, const struct tally *samples,
		      u64 parallelism)
{
	tally->samples += samples->samples;
	tally->period += samples->period / parallelism;
	*spent += samples->period;
}

/* Add entry number @nr of @from, which has the parallelism as its key number @at, to @to. */
static int join_entry(struct profile *to, const struct profile *from, u32 nr, size_t at)
{
	const struct profile_entry entry = entries_at(&from->entries, nr);
	struct call_node *tree = nr < from->nr_roots ? from->roots[nr] : NULL, *root;
	struct entry_key key = profile_key(to, entry.keys);
	u64 parallelism = entry.keys[at];
	struct side_tally *spent;
	u32 number = entries_get(&to->entries, &key);

	if (!number)
		return -ENOMEM;
	spent = &to->entries.spent[--number];
	add_group(entries_self(&to->entries, number), &spent->self, entry.self, parallelism);
	add_group(entries_children(&to->entries, number), &spent->children, entry.children,
		  parallelism);
	if (!tree)
		return 0;
	root = profile_root(to, number);
	call_tree_divide(tree, parallelism);
	return root ? call_tree_merge(&to->trees, root, tree, NULL) : -ENOMEM;
}

/* Make the profile with latencies of @from. Return NULL if memory runs out. */
static struct profile *weigh(struct gather *gather, const struct profile *from, size_t at)
{
	struct profile *to = calloc(1, sizeof(*to));
	int err = -ENOMEM;
	u32 i;

	if (!to)
		return NULL;
	to->event = from->event;
	to->keys = &gather->keys;
	to->period = latency_whole(&from->latency);
	to->samples = from->samples;
	to->spent = from->period;
	err = entries_add_spent(&to->entries, from->entries.nr);
	for (i = 0; i < from->entries.nr && !err; i++)
		err = join_entry(to, from, i, at);
	if (!err)
		return to;
	profile_free(to);
	free(to);
	return NULL;
}

/*
 * Weigh all profiles by latency, after gather_all() with gather_options.latency. Return 0 or
 * -ENOMEM.
 */
int latency_merge(struct gather *gather)
{
	size_t at = profile_find_key(&gather->keys, column_find("parallelism"));
	struct profile *profile;
	u32 i;

	gather->keys.nr = gather->options->keys.nr;
	for (i = 0; i < gather->nr_profiles; i++) {
		if (!gather->profiles[i])
			continue;
		profile = weigh(gather, gather->profiles[i], at);
		if (!profile)
			return -ENOMEM;
		profile_free(gather->profiles[i]);
		free(gather->profiles[i]);
		gather->profiles[i] = profile;
	}
	return 0;
}
