// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - add up the times on and off CPU of a recording
 *
 * The time that passes for a thread is its time on CPU, which a clock samples, and its time
 * off CPU. Both profiles have the same keys, so their entries and call trees are merged. In a
 * tree, the time off CPU is below a node of its own.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "perfdata/waits.h"
#include "profile/wall.h"

#define MARK_NAME	"[off-CPU]"

static const struct symbol mark_symbol = { .name = MARK_NAME, .plain = true };

/**
 * struct times - the events of a recording that measure time
 * @on:		index of the clock in gather.profiles, or NO_EVENT
 * @off:	index of the event of time off CPU, or NO_EVENT
 */
struct times {
	u32	on;
	u32	off;
};

#define NO_EVENT	(~0U)

static int set_event(u32 *event, u32 i, struct reader *reader)
{
	if (*event != NO_EVENT)
		return message_set(&reader->msg, -EINVAL,
				   "events '%s' and '%s' measure the same time; choose one with --event",
				   reader->events[*event].name, reader->events[i].name);
	*event = i;
	return 0;
}

/* Find the events that the filter takes. Each must measure time. */
static int find_times(const struct gather *gather, struct reader *reader, struct times *times)
{
	const struct gather_filter *filter = &gather->options->filter;
	int err = 0;
	u32 i;

	*times = (struct times){ NO_EVENT, NO_EVENT };
	for (i = 0; i < reader->nr_events && !err; i++) {
		if (!filter_takes_event(filter, reader->events[i].name) ||
		    event_wakes(&reader->events[i]))
			continue;
		switch (event_time(&reader->events[i])) {
		case TIME_ON_CPU:
			err = set_event(&times->on, i, reader);
			break;
		case TIME_OFF_CPU:
			err = set_event(&times->off, i, reader);
			break;
		case TIME_NONE:
			return message_set(&reader->msg, -EINVAL,
					   "event '%s' does not measure time; choose others with --event, or record with --off-cpu",
					   reader->events[i].name);
		}
	}
	if (!err && times->off == NO_EVENT)
		return message_set(&reader->msg, -EINVAL,
				   "there is no time off CPU; record it with --off-cpu");
	return err;
}

/* Add the call tree @from to that of entry number @entry. */
static int add_tree(const struct gather *gather, struct profile *all, u32 entry,
		    const struct call_node *from)
{
	struct call_mark mark = { (uintptr_t)&mark_symbol, !gather->options->callers_first };
	struct call_node *root = profile_root(all, entry);

	return root ? call_tree_merge(&all->trees, root, from, &mark) : -ENOMEM;
}

/* Add entry number @nr of @off to @all. */
static int add_entry(const struct gather *gather, struct profile *all,
		     const struct profile *off, u32 nr)
{
	struct profile_entry from = entries_at(&off->entries, nr);
	const struct call_node *tree = profile_tree(off, nr);
	struct entry_key key = profile_key(all, from.keys);
	u32 entry = entries_get(&all->entries, &key);
	struct side_tally *off_part;

	if (!entry)
		return -ENOMEM;
	tally_add(entries_self(&all->entries, --entry), from.self);
	tally_add(entries_children(&all->entries, entry), from.children);
	off_part = &all->entries.off[entry];
	off_part->self += from.self->period;
	off_part->children += from.children->period;
	return tree ? add_tree(gather, all, entry, tree) : 0;
}

/* Add the whole paths of @off to those of @all. All of them must be in trees. */
static int add_paths(struct gather *gather, struct profile *all, struct profile *off)
{
	const struct call_mark mark = { (uintptr_t)MARK_NAME, false };
	int err = gather_add_paths(gather, all);

	if (!err)
		err = gather_add_paths(gather, off);
	return err ? err : call_tree_merge(&all->trees, &all->paths, &off->paths, &mark);
}

/* Add the time off CPU in @off to @all. */
static int add_profile(struct gather *gather, struct profile *all, struct profile *off)
{
	int err = gather->options->paths ? add_paths(gather, all, off) : 0;
	u32 i, nr = all->entries.nr + off->entries.nr;

	if (!err)
		err = entries_own_children(&all->entries);
	if (nr && !err)
		err = entries_add_off(&all->entries, nr);
	for (i = 0; i < off->entries.nr && !err; i++)
		err = add_entry(gather, all, off, i);
	all->period += off->period;
	all->samples += off->samples;
	all->off_period += off->period;
	return err;
}

/* Name the profile of the events in @times. Return NULL if out of memory. */
static const char *name_both(struct gather *gather, const struct reader *reader,
			     const struct times *times)
{
	struct interned *names = &gather->world.objects.sources.names;
	const char *off = reader->events[times->off].name;
	char name[2 * sizeof(reader->events->name) + 4];

	if (times->on == NO_EVENT)
		return interned_get(names, off);
	snprintf(name, sizeof(name), "%s + %s", reader->events[times->on].name, off);
	return interned_get(names, name);
}

/*
 * Take the profile of event @i out of @gather. Return NULL if the event has no samples. The
 * caller owns the profile.
 */
static struct profile *take_profile(struct gather *gather, u32 i)
{
	struct profile *profile;

	if (i >= gather->nr_profiles)
		return NULL;
	profile = gather->profiles[i];
	gather->profiles[i] = NULL;
	return profile;
}

/* Remove the profile of wakeups, which are not times. */
static void drop_wakeups(struct gather *gather, const struct reader *reader)
{
	struct profile *profile;
	u32 i;

	for (i = 0; i < reader->nr_events; i++) {
		profile = event_wakes(&reader->events[i]) ? take_profile(gather, i) : NULL;
		if (profile)
			profile_free(profile);
		free(profile);
	}
}

/*
 * Merge the profiles of all events into one, which has the sums of the times on and off CPU.
 * Call this after gather_all(). Return 0, or set @reader->msg and return -EINVAL if the events
 * cannot be added up.
 */
int wall_merge(struct gather *gather, struct reader *reader)
{
	struct profile *all, *off;
	struct times times;
	int err = find_times(gather, reader, &times);

	if (err || !gather->samples)
		return err;
	drop_wakeups(gather, reader);
	all = take_profile(gather, times.on);
	off = take_profile(gather, times.off);
	if (!all)
		all = calloc(1, sizeof(*all));
	gather->profiles[0] = all;
	if (all) {
		all->keys = &gather->keys;
		all->event = name_both(gather, reader, &times);
	}
	err = all && all->event ? 0 : -ENOMEM;
	if (off && !err)
		err = add_profile(gather, all, off);
	if (off)
		profile_free(off);
	free(off);
	return err;
}
