// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - count samples with their callers and call paths
 */
#include <errno.h>

#include "perfdata/waits.h"
#include "profile/gather.h"

/* A node of a call tree takes about 100 bytes: limit the trees to about 1.6 GB. */
#define NODES_MAX	(16ULL << 20)

/**
 * struct counting - samples with equal call stacks, to be counted
 * @gather:	gather.chain has the frames of the stack
 * @profile:	the profile to count the samples in
 * @hit:	the sampled address
 * @weight:	number of the samples, and sum of their periods
 * @by_path:	add the whole path of the samples, instead of entries
 * @nr_others:	number of frames at the start of gather.chain that are of the waker
 */
struct counting {
	struct gather *gather;
	struct profile *profile;
	struct hit hit;
	struct call_weight weight;
	bool	by_path;
	int	nr_others;
};

/* Return true if a call path may be added. If not, count its samples as left out. */
static bool has_room(const struct counting *counting)
{
	struct gather *gather = counting->gather;

	if (gather->nr_nodes < NODES_MAX)
		return true;
	gather->paths_left_out += counting->weight.samples;
	return false;
}

/*
 * Add a path to the call tree of entry number @entry. If callers come first, the path is frames
 * @from to 0, else frames @from to the last.
 */
static int add_path(const struct counting *counting, u32 entry, int from)
{
	struct gather *gather = counting->gather;
	u64 before = counting->profile->trees.table.nr;
	int i, len = 0, err;

	if (!has_room(counting))
		return 0;
	if (gather->options->callers_first) {
		for (i = from; i >= 0; i--)
			gather->path[len++] = symbol_key(&gather->chain.frames[i]);
	} else {
		for (i = from; i < gather->chain.nr; i++)
			gather->path[len++] = symbol_key(&gather->chain.frames[i]);
	}
	err = profile_add_path(counting->profile, entry, gather->path, len, &counting->weight);
	gather->nr_nodes += counting->profile->trees.table.nr - before;
	return err;
}

static void add_weight(struct tally *tally, const struct call_weight *weight)
{
	tally->period += weight->period;
	tally->samples += weight->samples;
}

static int add_self(const struct counting *counting)
{
	const struct gather *gather = counting->gather;
	struct entries *entries = &counting->profile->entries;
	struct entry_key key = entry_key(counting->profile, &counting->hit);
	u32 entry = entries_get(entries, &key);

	if (!entry)
		return -ENOMEM;
	entry--;
	add_weight(entries_self(entries, entry), &counting->weight);
	if (!entries->is_flat)
		add_weight(entries_children(entries, entry), &counting->weight);
	seen_add(&counting->gather->seen, entry);
	if (!gather_keeps_trees(counting->gather))
		return 0;
	return add_path(counting, entry,
			gather->options->callers_first ? gather->chain.nr - 1 : 0);
}

/*
 * For each function in the call stack, count the samples in the entry of the function.
 * Count them once per entry, even if several functions have the same entry.
 */
static int add_callers(const struct counting *counting)
{
	struct gather *gather = counting->gather;
	struct profile *profile = counting->profile;
	struct entry_key key;
	struct hit hit = counting->hit;
	int i, at, err = 0, nr = gather->chain.nr - counting->nr_others;
	u32 entry;

	for (i = 0; i < nr && !err; i++) {
		/*
		 * Visit frames in the order of the call tree. With recursion, an entry has
		 * several frames in a chain, and only the first one counts.
		 */
		at = gather->options->callers_first ? gather->chain.nr - 1 - i : i;
		hit.spot = gather->chain.frames[at];
		if (!filter_shows(&gather->options->filter, &hit))
			continue;
		key = entry_key(profile, &hit);
		entry = entries_get(&profile->entries, &key);
		if (!entry)
			return -ENOMEM;
		if (!seen_add(&gather->seen, --entry))
			continue;
		add_weight(entries_children(&profile->entries, entry), &counting->weight);
		if (gather_keeps_trees(gather))
			err = add_path(counting, entry, at);
	}
	return err;
}

/* Add a path of @len names to the tree of whole paths. */
static int add_names(const struct counting *counting, const u64 *names, size_t len)
{
	struct profile *profile = counting->profile;
	u64 before = profile->trees.table.nr;
	int err;

	if (!has_room(counting))
		return 0;
	err = call_tree_add(&profile->trees, &profile->paths, names, len, &counting->weight);
	counting->gather->nr_nodes += profile->trees.table.nr - before;
	return err;
}

/* Add a whole path: thread name, then the names of the functions, outermost first. */
static int add_whole_path(const struct counting *counting)
{
	struct gather *gather = counting->gather;
	int i, len = 0;

	if (!filter_shows(&gather->options->filter, &counting->hit))
		return 0;
	gather->path[len++] = (uintptr_t)counting->hit.comm;
	for (i = gather->chain.nr - 1; i >= 0; i--)
		gather->path[len++] = (uintptr_t)frame_name(&gather->chain.frames[i]);
	return add_names(counting, gather->path, len);
}

/*
 * Return the keys of entries that stand for paths without callers: the name of
 * the thread and the name of the frame.
 */
struct profile_keys gather_path_keys(void)
{
	return (struct profile_keys){ { column_find("comm"), &frame_column }, 2 };
}

/*
 * Return true if a sample may have callers. If not, the sample is counted in an
 * entry even with gather_options.paths. The keys of that entry are its path.
 */
bool gather_has_callers(const struct gather *gather, const struct perf_event_attr *attr)
{
	return gather->world.objects.sources.options.inlines ||
	       attr->sample_type & (PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_STACK_USER);
}

/*
 * Move the paths of all entries of @profile, which have the keys gather_path_keys(), to its
 * tree of whole paths.
 */
int gather_add_paths(struct gather *gather, struct profile *profile)
{
	struct counting counting = { .gather = gather, .profile = profile };
	const struct tally *tally;
	int err = 0;
	u32 i;

	for (i = 0; i < profile->entries.nr && !err; i++) {
		tally = entries_self(&profile->entries, i);
		counting.weight = (struct call_weight){ tally->period, tally->samples };
		err = add_names(&counting, entries_keys(&profile->entries, i), profile->keys->nr);
	}
	entries_free(&profile->entries);
	return err;
}

/*
 * Count samples in their entry and, if gather.children, in the entries of their callers.
 * If counting.by_path, add their whole path instead.
 */
static int count(struct counting *counting)
{
	struct gather *gather = counting->gather;
	const struct spot *spot = &counting->hit.spot;
	int err = 0;

	gather->samples += counting->weight.samples;
	gather->unresolved[object_status(spot->object, spot->symbol)] += counting->weight.samples;
	counting->profile->samples += counting->weight.samples;
	counting->profile->period += counting->weight.period;
	if (!gather->chain.nr)
		gather->chain.frames[gather->chain.nr++] = *spot;
	if (gather->options->parent) {
		counting->hit.parent = parents_find(&gather->parents, gather->options->parent,
						    &gather->world.objects.sources.names,
						    &gather->chain);
		if (!counting->hit.parent)
			return -ENOMEM;
	}
	if (gather->waker && (gather_keeps_trees(gather) || gather->options->paths)) {
		counting->nr_others = wakers_put_first(&gather->wakers, gather->waker,
						       &gather->chain);
		if (counting->nr_others < 0)
			return counting->nr_others;
	}
	if (counting->by_path)
		return add_whole_path(counting);
	seen_clear(&gather->seen);
	if (filter_shows(&gather->options->filter, &counting->hit))
		err = add_self(counting);
	if (!err && gather->children)
		err = add_callers(counting);
	return err;
}

static int find_function(struct gather *gather, struct spot *spot)
{
	const struct gather_options *options = gather->options;

	return options->find ? options->find(options->arg, spot) :
			       world_find_function(&gather->world, spot);
}

/* Look up the functions of the frames of @stack, then count its samples in @profile. */
int gather_count_stack(struct gather *gather, struct profile *profile, const struct stack *stack)
{
	const struct subject *subject = stack->subject;
	struct sample sample = subject_sample(subject);
	struct chain *chain = &gather->chain;
	struct counting counting = {
		.gather = gather, .profile = profile,
		.hit = { .objects = &gather->world.objects, .names = gather->options->names,
			 .sample = &sample, .event = profile->event, .comm = subject->comm,
			 .spot = stack_spot(stack->frames) },
		.weight = { stack->period, stack->samples },
		.by_path = gather->options->paths,
	};
	int err = find_function(gather, &counting.hit.spot);
	size_t i;

	chain->nr = 0;
	for (i = 1; i < stack->nr && !err; i++) {
		chain->frames[chain->nr] = stack_spot(&stack->frames[i]);
		err = find_function(gather, &chain->frames[chain->nr++]);
	}
	return err ? err : count(&counting);
}

/* Count the samples of all stacks, or let gather_options.settle take them. Remove the stacks. */
int gather_settle_stacks(struct gather *gather)
{
	struct stacks *stacks = &gather->stacks;
	int err = stacks_settle(stacks);
	size_t i;

	if (!err && gather->options->settle)
		err = gather->options->settle(gather, gather->options->arg);
	for (i = 0; i < stacks->table.nr && !err; i++)
		err = gather_count_stack(gather, stacks->list[i]->profile, stacks->list[i]);
	stacks_clear(stacks);
	return err;
}

/* Add a sample to its stack. gather_settle_stacks() will look up the functions. */
int gather_add_stack(struct gather *gather, struct profile *profile,
		     const struct perf_event_attr *attr, const struct sample *sample, u16 misc)
{
	struct stacks *stacks = &gather->stacks;
	struct world *world = &gather->world;
	struct chain *chain = &gather->chain;
	const struct subject *subject = subjects_find(&gather->hits.subjects, &world->tasks,
						      sample);
	struct spot spot;
	int err = subject ? 0 : -ENOMEM;

	if (!err)
		err = world_locate_sample(world, sample->pid, misc, sample->ip, &spot);
	if (!err)
		err = chain_locate(chain, world, attr, sample, is_kernel_mode(misc));
	if (!err)
		err = stacks_begin(stacks, profile, subject, sample->period);
	if (!err)
		err = stacks_add_frames(stacks, &spot, 1);
	if (!err)
		err = stacks_add_frames(stacks, chain->frames, chain->nr);
	if (err)
		return err;
	stacks_end(stacks);
	return stacks_are_full(stacks) ? gather_settle_stacks(gather) : 0;
}

/* Keep the call chain of a wakeup until the thread is switched in: see wakers.h. */
int gather_note_waker(struct gather *gather, const struct perf_event_attr *attr,
		      const struct sample *sample, u16 misc)
{
	struct world *world = &gather->world;
	struct spot spot;
	int err = world_resolve_sample(world, sample->pid, misc, sample->ip, &spot);

	gather->chain.nr = 0;
	if (!err && (gather_keeps_trees(gather) || gather->options->paths))
		err = chain_find(&gather->chain, world, attr, sample, is_kernel_mode(misc));
	if (err)
		return err;
	return wakers_note(&gather->wakers, wake_thread(sample),
			   tasks_name(&world->tasks, sample->tid), &spot, &gather->chain);
}

/* Count one sample. */
int gather_add_alone(struct gather *gather, struct profile *profile,
		     const struct perf_event_attr *attr, const struct sample *sample, u16 misc)
{
	const struct gather_options *options = gather->options;
	struct world *world = &gather->world;
	struct counting counting = {
		.gather = gather, .profile = profile,
		.hit = { .objects = &world->objects, .sample = sample, .event = profile->event,
			 .comm = tasks_name(&world->tasks, sample->tid),
			 .cgroup = cgroups_path(&world->cgroups, sample->cgroup),
			 .host = world_host(world, sample->id) },
		.weight = { sample->period, 1 },
		.by_path = options->paths && gather_has_callers(gather, attr),
	};
	int err = world_resolve_sample(world, sample->pid, misc, sample->ip, &counting.hit.spot);

	gather->chain.nr = 0;
	if (!err && (gather->children || gather_keeps_trees(gather) || options->paths ||
		     options->parent))
		err = chain_find(&gather->chain, world, attr, sample, is_kernel_mode(misc));
	return err ? err : count(&counting);
}
