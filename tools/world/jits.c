// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - find JIT-compiled functions by process, address and time
 */
#include <errno.h>
#include <stdlib.h>

#include "world/jits.h"

static bool is_there(const struct jits *jits, const struct object *object)
{
	size_t i;

	for (i = 0; i < jits->nr; i++) {
		if (jits->feeds[i].object == object)
			return true;
	}
	return false;
}

/*
 * Add a jitdump file, unless it was added before or has no functions. @pid is the first
 * process that maps the file, so it is the process that wrote the file. Its children
 * inherit the mapping, and get the functions by spaces_fork().
 */
int jits_add(struct jits *jits, struct object *object, u32 pid)
{
	struct jit_feed *feeds;

	if (!object->loads.nr || is_there(jits, object))
		return 0;
	feeds = realloc(jits->feeds, (jits->nr + 1) * sizeof(*feeds));
	if (!feeds)
		return -ENOMEM;
	feeds[jits->nr++] = (struct jit_feed){ .object = object, .pid = pid };
	jits->feeds = feeds;
	jits->next_time = 0;
	return 0;
}

/* Remove the functions of process @pid. Call this when it executes another program. */
void jits_forget(struct jits *jits, u32 pid)
{
	struct space *space = jits->nr ? spaces_get(&jits->spaces, pid) : NULL;
	size_t i, nr = 0;

	if (space)
		space_clear(space);
	for (i = 0; i < jits->nr; i++) {
		if (jits->feeds[i].pid != pid)
			jits->feeds[nr++] = jits->feeds[i];
	}
	jits->nr = nr;
}

static int take_in(struct jits *jits, struct jit_feed *feed, u64 time)
{
	const struct jit_loads *loads = &feed->object->loads;
	struct space *space = spaces_get(&jits->spaces, feed->pid);
	const struct jit_load *load;
	struct map map;
	int err = space ? 0 : -ENOMEM;

	for (; !err && feed->next < loads->nr; feed->next++) {
		load = &loads->list[feed->next];
		if (load->time > time)
			break;
		map = (struct map){ load->start, load->start + load->len,
				    load->offset - load->start, feed->object };
		err = space_add(space, &map);
	}
	if (feed->next < loads->nr && loads->list[feed->next].time < jits->next_time)
		jits->next_time = loads->list[feed->next].time;
	return err;
}

/* Map all functions that were loaded at or before @time. */
int jits_take_in(struct jits *jits, u64 time)
{
	int err = 0;
	size_t i;

	jits->next_time = ~0ULL;
	for (i = 0; !err && i < jits->nr; i++)
		err = take_in(jits, &jits->feeds[i], time);
	return err;
}

/* Return the function at an address, or NULL. It is valid until @jits changes. */
const struct map *jits_find(struct jits *jits, u32 pid, u64 addr)
{
	struct space *space = jits->nr ? spaces_get(&jits->spaces, pid) : NULL;

	return space ? space_find(space, addr) : NULL;
}

void jits_free(struct jits *jits)
{
	spaces_free(&jits->spaces);
	free(jits->feeds);
}
