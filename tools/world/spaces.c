// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the mappings of each process
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "world/spaces.h"

#define FIRST_ROOM	16

/*
 * Maximum number of mappings of one process, and of all processes. Both bound the
 * memory. MAX_MAPS is larger than the default of vm.max_map_count.
 */
#define MAX_MAPS	(1U << 17)
#define MAX_TOTAL	(16ULL << 20)

/* Find or create an address space, and remember it in spaces.recent. */
struct space *spaces_make(struct spaces *spaces, u32 pid)
{
	struct space *space = hash_table_get(&spaces->table, pid, sizeof(*space));

	if (!space)
		return NULL;
	space->pid = pid;
	space->all = spaces;
	spaces->recent[pid % RECENT_SPACES] = space;
	return space;
}

static struct map_list *get_list(struct map_list *list)
{
	if (list)
		list->users++;
	return list;
}

static void put_list(struct spaces *spaces, struct map_list *list)
{
	if (!list || --list->users)
		return;
	spaces->total -= list->room;
	free(list);
}

/* Remove all mappings. */
void space_clear(struct space *space)
{
	put_list(space->all, space->list);
	put_list(space->all, space->before);
	space->list = NULL;
	space->before = NULL;
}

/*
 * Give @child the mappings of @parent. If both are the same process, a thread was
 * created: do nothing.
 */
int spaces_fork(struct spaces *spaces, u32 parent, u32 child)
{
	struct space *from = spaces_get(spaces, parent);
	struct space *to = spaces_get(spaces, child);

	if (!from || !to)
		return -ENOMEM;
	if (from == to)
		return 0;
	space_clear(to);
	to->list = get_list(from->list);
	to->before = get_list(from->before);
	to->ended = false;
	return 0;
}

static struct space *find(const struct spaces *spaces, u32 pid)
{
	return hash_table_find(&spaces->table, hash_number(pid), NULL, NULL);
}

/*
 * Process @pid executes another program. Keep the mappings of the old program until the
 * next exec, because the first samples after the exec can have callers in that program.
 * If there is no new mapping since the last exec, this is another record of that exec.
 */
void spaces_exec(struct spaces *spaces, u32 pid)
{
	struct space *space = find(spaces, pid);

	if (!space || !space->list)
		return;
	put_list(spaces, space->before);
	space->before = space->list;
	space->list = NULL;
}

/*
 * Count new thread @tid of process @pid. If the first thread had no FORK record, the process
 * may have other threads that are not known, so count none of them.
 */
int spaces_add_thread(struct spaces *spaces, u32 pid, u32 tid)
{
	struct space *space = spaces_get(spaces, pid);

	if (!space)
		return -ENOMEM;
	if (pid == tid)
		space->nr_threads = 1;
	else if (space->nr_threads)
		space->nr_threads++;
	return 0;
}

/*
 * An entry of spaces.gone is overwritten. The process id may have been reused since, so do
 * nothing if the process has threads. If it is in @spaces->gone again, only free its mappings.
 */
static void forget_gone(struct spaces *spaces, struct space *space)
{
	struct space **recent;

	if (!space)
		return;
	space->nr_gone--;
	if (space->nr_threads)
		return;
	space_clear(space);
	if (space->nr_gone)
		return;
	recent = &spaces->recent[space->pid % RECENT_SPACES];
	if (*recent == space)
		*recent = NULL;
	hash_table_remove(&spaces->table, hash_number(space->pid), space);
	free(space);
}

/*
 * A thread of process @pid exited. If it was the last one, forget the process
 * when as many as GONE_SPACES further processes are gone. Until then, samples without
 * order may still need them. If the FORK record of a thread was lost, the process may seem
 * to be gone too early, but if an EXIT record was lost, the mappings only stay.
 */
void spaces_remove_thread(struct spaces *spaces, u32 pid)
{
	struct space *space = find(spaces, pid), **oldest;

	if (!space || !space->nr_threads || --space->nr_threads)
		return;
	oldest = &spaces->gone[spaces->nr_gone++ % GONE_SPACES];
	space->nr_gone++;
	forget_gone(spaces, *oldest);
	*oldest = space;
}

/* Mark process @pid as ended. Later samples may still need its mappings. */
void spaces_end(struct spaces *spaces, u32 pid)
{
	struct space *space = find(spaces, pid);

	if (space && !space->ended) {
		space->ended = true;
		spaces->nr_ended++;
	}
}

/*
 * Free the mappings of ended processes: a long recording has many such processes. The
 * walk over all processes is slow, so do nothing while fewer than 1/16 of all processes
 * have ended since the last walk.
 */
static void forget_ended(struct spaces *spaces)
{
	struct space *space;
	size_t at = 0;

	if (!spaces->nr_ended || spaces->nr_ended < spaces->table.nr / 16)
		return;
	spaces->nr_ended = 0;
	while ((space = hash_table_next(&spaces->table, &at))) {
		if (space->ended)
			space_clear(space);
	}
}

static bool has_room(struct spaces *spaces, u32 room)
{
	if (spaces->total + room > MAX_TOTAL)
		forget_ended(spaces);
	return spaces->total + room <= MAX_TOTAL;
}

/* Choose the capacity of a new list for @nr mappings. */
static u32 choose_room(const struct map_list *old, u32 nr)
{
	/* Reserve little for a list that is copied after a fork: it seldom grows much. */
	u32 room = old && old->users > 1 ? nr + FIRST_ROOM : 2 * nr;

	room = room > FIRST_ROOM ? room : FIRST_ROOM;
	return room > MAX_MAPS && nr <= MAX_MAPS ? MAX_MAPS : room;
}

/* Return the highest power of two up to @nr, or 0 if @nr is 0. */
static u32 power_up_to(u32 nr)
{
	return nr ? 1U << (31 - __builtin_clz(nr)) : 0;
}

/*
 * Make an empty list with @room for mappings. All ends are ~0, which is above every address that
 * is mapped. Return NULL if out of memory.
 */
static struct map_list *make_list(u32 room)
{
	size_t ends = 2 * power_up_to(room) - 1;
	struct map_list *list = malloc(sizeof(*list) + ends * sizeof(*list->ends) +
				       room * sizeof(*list->maps));

	if (!list)
		return NULL;
	*list = (struct map_list){ .users = 1, .room = room };
	list->maps = (struct map *)(list->ends + ends);
	memset(list->ends, 0xff, ends * sizeof(*list->ends));
	return list;
}

/*
 * Give @space a list that is not shared and can hold @more additional mappings. Return
 * 0; -E2BIG if MAX_MAPS or MAX_TOTAL would be exceeded; -ENOMEM if memory runs out.
 */
static int own_list(struct space *space, u32 more)
{
	struct map_list *old = space->list, *list;
	u32 nr = old ? old->nr : 0;
	u32 room = choose_room(old, nr + more);

	if (old && old->users == 1 && nr + more <= old->room)
		return 0;
	if (room > MAX_MAPS || !has_room(space->all, room))
		return -E2BIG;
	/* Read @space->list again: has_room() frees it if the process has ended. */
	old = space->list;
	nr = old ? old->nr : 0;
	list = make_list(room);
	if (!list)
		return -ENOMEM;
	if (nr) {
		list->nr = nr;
		list->half = old->half;
		memcpy(list->maps, old->maps, nr * sizeof(*list->maps));
		memcpy(list->ends, old->ends, nr * sizeof(*list->ends));
	}
	put_list(space->all, old);
	space->list = list;
	space->all->total += room;
	return 0;
}

/**
 * struct pieces - which mappings to replace, and with what
 * @at:		index of the first mapping to replace
 * @old:	number of mappings to replace
 * @maps:	the mappings to insert instead
 * @nr:		number of @maps
 */
struct pieces {
	u32	at;
	u32	old;
	struct map maps[3];
	u32	nr;
};

/*
 * Plan how to add @map. It replaces all mappings that it overlaps. The parts of those
 * mappings before and after @map remain as mappings of their own.
 */
static struct pieces cut(const struct map_list *list, const struct map *map)
{
	struct pieces pieces = { .maps = { *map }, .nr = 1 };
	const struct map *first, *last;

	if (!list)
		return pieces;
	pieces.at = maps_behind(list, map->start);
	first = &list->maps[pieces.at];
	for (last = first; last < list->maps + list->nr && last->start < map->end; last++)
		;
	pieces.old = last - first;
	pieces.nr = 0;
	if (pieces.old && first->start < map->start) {
		pieces.maps[pieces.nr] = *first;
		pieces.maps[pieces.nr++].end = map->start;
	}
	pieces.maps[pieces.nr++] = *map;
	if (pieces.old && last[-1].end > map->end) {
		pieces.maps[pieces.nr] = last[-1];
		pieces.maps[pieces.nr++].start = map->end;
	}
	return pieces;
}

static void replace(struct map_list *list, const struct pieces *pieces)
{
	struct map *at = list->maps + pieces->at;
	u32 i, end, old = list->nr;

	if (pieces->nr != pieces->old)
		memmove(at + pieces->nr, at + pieces->old,
			(list->nr - pieces->at - pieces->old) * sizeof(*at));
	memcpy(at, pieces->maps, pieces->nr * sizeof(*at));
	list->nr += pieces->nr - pieces->old;
	end = pieces->nr == pieces->old ? pieces->at + pieces->nr : list->nr;
	for (i = pieces->at; i < end; i++)
		list->ends[i] = list->maps[i].end;
	for (i = list->nr; i < old; i++)
		list->ends[i] = ~0ULL;
	list->half = power_up_to(list->nr);
}

/*
 * Add a mapping, which replaces others where it overlaps them. Ignore an empty mapping.
 * If a limit is reached, count the mapping in nr_left_out and return 0.
 */
int space_add(struct space *space, const struct map *map)
{
	struct pieces pieces;
	int err;

	if (map->end <= map->start)
		return 0;
	pieces = cut(space->list, map);
	err = own_list(space, pieces.nr > pieces.old ? pieces.nr - pieces.old : 0);
	if (err == -E2BIG)
		space->all->nr_left_out++;
	if (err)
		return err == -E2BIG ? 0 : err;
	/* Plan again: own_list() may have freed the mappings of an ended process. */
	pieces = cut(space->list, map);
	replace(space->list, &pieces);
	return 0;
}

/* Return the first mapping that ends above @addr. It is valid until mappings change. */
const struct map *space_next(const struct space *space, u64 addr)
{
	return space->list ? map_list_behind(space->list, addr) : NULL;
}

static void free_space(void *entry)
{
	struct space *space = entry;

	space_clear(space);
	free(space);
}

void spaces_free(struct spaces *spaces)
{
	hash_table_free(&spaces->table, free_space);
	memset(spaces->recent, 0, sizeof(spaces->recent));
	memset(spaces->gone, 0, sizeof(spaces->gone));
}
