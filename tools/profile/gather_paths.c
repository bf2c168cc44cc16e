// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - build profiles: count a sample with its callers and call paths
 */
#include <errno.h>

#include "profile/gather.h"

/* A node of a call tree takes about 100 bytes: limit the trees to about 1.6 GB. */
#define NODES_MAX	(16ULL << 20)

/* Find the frames of a sample. Return their number, at least 1, or -ENOMEM. */
static int find_frames(struct gather *gather, const struct perf_event_attr *attr,
		       const struct hit *hit)
{
	struct chain *chain = &gather->chain;
	int err = chain_find(chain, &gather->world, attr, hit->sample, hit->spot.is_kernel);

	if (err)
		return err;
	if (!chain->nr)
		chain->frames[chain->nr++] = hit->spot;
	return chain->nr;
}

/* May another call path be added? If not, count it as left out. */
static bool has_room(struct gather *gather)
{
	if (gather->nr_nodes < NODES_MAX)
		return true;
	gather->paths_left_out++;
	return false;
}

/*
 * Add a path to the call tree of @entry: frames @from to 0 if callers come first, else
 * frames @from to @nr - 1.
 */
static int add_path(struct gather *gather, struct profile *profile, struct profile_entry *entry,
		    int from, int nr, u64 period)
{
	u64 before = profile->trees.table.nr;
	int i, len = 0, err;

	if (!has_room(gather))
		return 0;
	if (gather->options->callers_first) {
		for (i = from; i >= 0; i--)
			gather->path[len++] = symbol_key(&gather->chain.frames[i]);
	} else {
		for (i = from; i < nr; i++)
			gather->path[len++] = symbol_key(&gather->chain.frames[i]);
	}
	err = profile_add_path(profile, entry, gather->path, len, period);
	gather->nr_nodes += profile->trees.table.nr - before;
	return err;
}

static int add_self(struct gather *gather, struct profile *profile, const struct hit *hit, int nr)
{
	struct profile_entry *entry = profile_get(profile, hit);
	u64 period = hit->sample->period;

	if (!entry)
		return -ENOMEM;
	entry->tally.period += period;
	entry->tally.samples++;
	entry->tally.children_period += period;
	entry->tally.children_samples++;
	entry->stamp = profile->samples;
	if (!gather->options->trees)
		return 0;
	return add_path(gather, profile, entry, gather->options->callers_first ? nr - 1 : 0, nr,
			period);
}

/* Count a sample in the entry of each function of its call chain, but once per entry. */
static int add_callers(struct gather *gather, struct profile *profile, const struct hit *self,
		       int nr)
{
	struct profile_entry *entry;
	struct hit hit = *self;
	int i, at, err = 0;

	for (i = 0; i < nr && !err; i++) {
		/*
		 * Visit frames in the order of the call tree. With recursion, an entry has
		 * several frames in a chain, and only the first one counts.
		 */
		at = gather->options->callers_first ? nr - 1 - i : i;
		hit.spot = gather->chain.frames[at];
		if (!filter_shows(&gather->options->filter, &hit))
			continue;
		entry = profile_get(profile, &hit);
		if (!entry)
			return -ENOMEM;
		if (entry->stamp == profile->samples)
			continue;
		entry->stamp = profile->samples;
		entry->tally.children_period += hit.sample->period;
		entry->tally.children_samples++;
		if (gather->options->trees)
			err = add_path(gather, profile, entry, at, nr, hit.sample->period);
	}
	return err;
}

/* Add a whole path: thread name, then the names of the functions, outermost first. */
static int add_whole_path(struct gather *gather, struct profile *profile, const struct hit *hit,
			  int nr)
{
	u64 before = profile->trees.table.nr;
	const struct spot *frame;
	int i, len = 0, err;

	if (!filter_shows(&gather->options->filter, hit))
		return 0;
	if (!has_room(gather))
		return 0;
	gather->path[len++] = (uintptr_t)hit->comm;
	for (i = nr - 1; i >= 0; i--) {
		frame = &gather->chain.frames[i];
		gather->path[len++] = (uintptr_t)(frame->symbol->name ? frame->symbol->name :
									frame->object->short_name);
	}
	err = call_tree_add(&profile->trees, &profile->paths, gather->path, len,
			    hit->sample->period);
	gather->nr_nodes += profile->trees.table.nr - before;
	return err;
}

/*
 * Count a sample in its entry and, if @gather->children, in the entries of its callers.
 * With gather_options.paths, only add its whole path instead.
 */
int gather_add_hit(struct gather *gather, struct profile *profile,
		   const struct perf_event_attr *attr, const struct hit *hit)
{
	const struct gather_options *options = gather->options;
	bool needs_frames = gather->children || options->trees || options->paths;
	int nr = needs_frames ? find_frames(gather, attr, hit) : 0;
	int err = 0;

	if (nr < 0)
		return nr;
	if (options->paths)
		return add_whole_path(gather, profile, hit, nr);
	if (filter_shows(&options->filter, hit))
		err = add_self(gather, profile, hit, nr);
	if (!err && gather->children)
		err = add_callers(gather, profile, hit, nr);
	return err;
}
