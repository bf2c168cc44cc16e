// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - address spaces: what is mapped where, by process
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "world/spaces.h"

#define FIRST_ROOM	16

/* More than the kernel lets a process have, and than memory can hold of all. */
#define MAX_MAPS	(1U << 17)
#define MAX_TOTAL	(16ULL << 20)

/*
 * The address space of a process. Return the address space, empty when it is new,
 * or NULL without memory.
 */
struct space *spaces_get(struct spaces *spaces, u32 pid)
{
	struct space *space = spaces->last;

	if (space && space->pid == pid)
		return space;
	space = hash_table_get(&spaces->table, pid, sizeof(*space));
	if (!space)
		return NULL;
	space->pid = pid;
	space->all = spaces;
	spaces->last = space;
	return space;
}

static void put_list(struct space *space)
{
	struct map_list *list = space->list;

	space->list = NULL;
	if (!list || --list->users)
		return;
	space->all->total -= list->room;
	free(list);
}

/* Nothing is mapped any more. */
void space_clear(struct space *space)
{
	put_list(space);
}

/*
 * A process begins as its parent is.
 *
 * @child: the new process; of a new thread nothing changes
 */
int spaces_fork(struct spaces *spaces, u32 parent, u32 child)
{
	struct space *from = spaces_get(spaces, parent);
	struct space *to = spaces_get(spaces, child);

	if (!from || !to)
		return -ENOMEM;
	if (from == to)
		return 0;
	if (from->list)
		from->list->users++;
	put_list(to);
	to->list = from->list;
	to->ended = false;
	return 0;
}

/*
 * A process has ended.
 *
 * @pid: the process; records of it may still come
 */
void spaces_end(struct spaces *spaces, u32 pid)
{
	struct space *space = hash_table_find(&spaces->table, hash_number(pid), NULL, NULL);

	if (space && !space->ended) {
		space->ended = true;
		spaces->nr_ended++;
	}
}

/* Of a long recording, those that have ended long since are most. */
static void forget_ended(struct spaces *spaces)
{
	struct space *space;
	size_t at = 0;

	if (!spaces->nr_ended || spaces->nr_ended < spaces->table.nr / 16)
		return;
	spaces->nr_ended = 0;
	while ((space = hash_table_next(&spaces->table, &at))) {
		if (space->ended)
			put_list(space);
	}
}

static bool has_room(struct spaces *spaces, u32 room)
{
	if (spaces->total + room > MAX_TOTAL)
		forget_ended(spaces);
	return spaces->total + room <= MAX_TOTAL;
}

/* How many mappings a list of so many is to have room for. */
static u32 choose_room(const struct map_list *old, u32 nr)
{
	/* Most that is copied does not grow much any more. */
	u32 room = old && old->users > 1 ? nr + FIRST_ROOM : 2 * nr;

	room = room > FIRST_ROOM ? room : FIRST_ROOM;
	return room > MAX_MAPS && nr <= MAX_MAPS ? MAX_MAPS : room;
}

/* Have a list of one's own with room for @more. Return: 0, -ENOMEM or -E2BIG. */
static int own_list(struct space *space, u32 more)
{
	struct map_list *old = space->list, *list;
	u32 nr = old ? old->nr : 0;
	u32 room = choose_room(old, nr + more);

	if (old && old->users == 1 && nr + more <= old->room)
		return 0;
	if (room > MAX_MAPS || !has_room(space->all, room))
		return -E2BIG;
	/* It may have ended, and been forgotten just now. */
	old = space->list;
	nr = old ? old->nr : 0;
	list = malloc(sizeof(*list) + room * sizeof(*list->maps));
	if (!list)
		return -ENOMEM;
	*list = (struct map_list){ .users = 1, .nr = nr, .room = room };
	if (nr)
		memcpy(list->maps, old->maps, nr * sizeof(*list->maps));
	put_list(space);
	space->list = list;
	space->all->total += room;
	return 0;
}

/* Number of the first mapping that ends behind @addr. */
static u32 first_behind(const struct map_list *list, u64 addr)
{
	u32 low = 0, high = list->nr, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (list->maps[middle].end <= addr)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/**
 * struct pieces - what comes in place of some mappings
 * @at:		number of the first of these
 * @old:	how many they are
 * @maps:	what comes there
 * @nr:		how many
 */
struct pieces {
	u32	at;
	u32	old;
	struct map maps[3];
	u32	nr;
};

/* The new one, and what of the old ones sticks out on either side. */
static struct pieces cut(const struct map_list *list, const struct map *map)
{
	struct pieces pieces = { .maps = { *map }, .nr = 1 };
	const struct map *first, *last;

	if (!list)
		return pieces;
	pieces.at = first_behind(list, map->start);
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

	if (pieces->nr != pieces->old)
		memmove(at + pieces->nr, at + pieces->old,
			(list->nr - pieces->at - pieces->old) * sizeof(*at));
	memcpy(at, pieces->maps, pieces->nr * sizeof(*at));
	list->nr += pieces->nr - pieces->old;
}

/*
 * Map something, in place of what was there. One for which there is no room is
 * counted and left out.
 *
 * @map: the mapping; an empty one is none
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
	/* Of one that has ended there may be nothing left. */
	pieces = cut(space->list, map);
	replace(space->list, &pieces);
	return 0;
}

static bool has(const struct map *map, u64 addr)
{
	return map->start <= addr && addr < map->end;
}

/*
 * What is mapped at an address. Return the mapping, valid until the next change,
 * or NULL.
 */
const struct map *space_find(struct space *space, u64 addr)
{
	const struct map_list *list = space->list;
	u32 at = space->last;

	if (!list)
		return NULL;
	if (at < list->nr && has(&list->maps[at], addr))
		return &list->maps[at];
	at = first_behind(list, addr);
	if (at == list->nr || !has(&list->maps[at], addr))
		return NULL;
	space->last = at;
	return &list->maps[at];
}

/*
 * What is mapped at an address, or behind it. Return the first mapping that ends
 * behind it, valid until the next change, or NULL.
 */
const struct map *space_next(const struct space *space, u64 addr)
{
	const struct map_list *list = space->list;
	u32 at = list ? first_behind(list, addr) : 0;

	return list && at < list->nr ? &list->maps[at] : NULL;
}

static void free_space(void *entry)
{
	struct space *space = entry;

	put_list(space);
	free(space);
}

/* Forget all. */
void spaces_free(struct spaces *spaces)
{
	hash_table_free(&spaces->table, free_space);
	spaces->last = NULL;
}
