// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - which executable mappings each process had at which time
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/array.h"
#include "session/map_log.h"

/* Maximum number of mappings of all processes. */
#define MAX_MAPS	(1U << 20)

static void pass_on(struct map_log *log, const struct logged_process *parent,
		    const struct logged_map *map);

static struct logged_process *find(const struct map_log *log, u32 pid)
{
	return hash_table_find(&log->processes, hash_number(pid), NULL, NULL);
}

static void clear(struct map_log *log, struct logged_process *process)
{
	log->nr -= process->nr;
	free(process->maps);
	*process = (struct logged_process){ .pid = process->pid };
}

static struct logged_process *get(struct map_log *log, u32 pid)
{
	struct logged_process *process = hash_table_get(&log->processes, pid, sizeof(*process));

	if (process)
		process->pid = pid;
	else
		log->nr_lost++;
	return process;
}

/* Put @map in after all that is not younger. */
static void put_in(struct logged_process *process, const struct logged_map *map)
{
	struct logged_map *maps = process->maps;
	size_t at;

	for (at = process->nr; at && maps[at - 1].time > map->time; at--)
		maps[at] = maps[at - 1];
	maps[at] = *map;
	process->nr++;
}

static void add(struct map_log *log, u32 pid, const struct logged_map *map)
{
	struct logged_process *process = get(log, pid);
	struct logged_map *maps;

	if (!process)
		return;
	maps = log->nr < MAX_MAPS ? array_grow(process->maps, process->nr, &process->room,
					       sizeof(*maps)) : NULL;
	if (!maps) {
		log->nr_lost++;
		return;
	}
	process->maps = maps;
	put_in(process, map);
	log->nr++;
	if (map->time < process->forked)
		pass_on(log, process, map);
}

/* The record of @map comes after that of a younger fork(2), from another CPU. */
static void pass_on(struct map_log *log, const struct logged_process *parent,
		    const struct logged_map *map)
{
	const struct logged_process *child;
	size_t at = 0;

	while ((child = hash_table_next(&log->processes, &at))) {
		/* Children of an earlier process of the same id began before this parent. */
		if (child->parent == parent->pid && child->began > parent->began &&
		    child->began > map->time)
			add(log, child->pid, map);
	}
}

/* A process has mapped a file at @time. */
void map_log_map(struct map_log *log, u64 time, const struct map_record *record)
{
	struct logged_map map = {
		.time = time,
		.start = record->start,
		.end = record->start + record->len,
		.offset = record->pgoff,
	};

	if (record->pid < 0 || !(record->prot & PROT_EXEC) || map.end <= map.start)
		return;
	if (record->build_id.size)
		map.file = table_store_get(log->store, &record->build_id);
	add(log, record->pid, &map);
}

/* Forget what an earlier process of the same id had mapped before @time. */
static void forget_before(struct map_log *log, struct logged_process *process, u64 time)
{
	size_t nr = 0;

	while (nr < process->nr && process->maps[nr].time < time)
		nr++;
	process->nr -= nr;
	log->nr -= nr;
	memmove(process->maps, process->maps + nr, process->nr * sizeof(*process->maps));
}

/*
 * Process @child begins at @time with what @parent has mapped. Records of the child that are
 * younger may have come before, from another CPU.
 */
void map_log_fork(struct map_log *log, u64 time, u32 parent, u32 child)
{
	struct logged_process *from, *to;
	struct logged_map map;
	size_t i;

	if (parent == child)
		return;
	from = get(log, parent);
	to = get(log, child);
	if (!from || !to)
		return;
	if (to->nr)
		forget_before(log, to, time);
	if (to->ended < time)
		to->ended = 0;
	to->parent = parent;
	to->began = time;
	if (from->forked < time)
		from->forked = time;
	for (i = 0; i < from->nr && from->maps[i].time <= time; i++) {
		map = from->maps[i];
		add(log, child, &map);
	}
}

void map_log_exec(struct map_log *log, u64 time, u32 pid)
{
	const struct logged_map exec = { .time = time };

	add(log, pid, &exec);
}

void map_log_exit(struct map_log *log, u64 time, u32 pid)
{
	struct logged_process *process = get(log, pid);

	if (process)
		process->ended = time;
}

/* Forget what processes that have exited had mapped, if there is much of it. */
void map_log_forget_ended(struct map_log *log)
{
	struct logged_process *process;
	size_t at = 0;

	if (log->nr < MAX_MAPS / 2)
		return;
	while ((process = hash_table_next(&log->processes, &at))) {
		if (process->ended)
			clear(log, process);
	}
}

/* Make room for one mapping at index @at of @nr mappings. */
static void insert(struct walk_map *maps, u32 *nr, u32 at, const struct walk_map *map)
{
	if (*nr == STACK_WALK_MAPS)
		return;
	memmove(&maps[at + 1], &maps[at], (*nr - at) * sizeof(*maps));
	maps[at] = *map;
	++*nr;
}

/* Return @map from address @start on. */
static struct walk_map tail_of(struct walk_map map, u64 start)
{
	map.offset += start - map.start;
	map.start = start;
	return map;
}

/* Return the index of the first of @nr sorted mappings that ends after @address. */
static u32 first_after(const struct walk_map *maps, u32 nr, u64 address)
{
	u32 low = 0, middle;

	while (low < nr) {
		middle = low + (nr - low) / 2;
		if (maps[middle].end <= address)
			low = middle + 1;
		else
			nr = middle;
	}
	return low;
}

/* Add @map to sorted mappings, in place of what it overlaps. */
static void overlay(struct walk_map *maps, u32 *nr, const struct walk_map *map)
{
	u32 at = first_after(maps, *nr, map->start), end;
	struct walk_map tail;

	if (at < *nr && maps[at].start < map->start) {
		if (maps[at].end > map->end) {
			tail = tail_of(maps[at], map->end);
			insert(maps, nr, at + 1, &tail);
		}
		maps[at++].end = map->start;
	}
	for (end = at; end < *nr && maps[end].end <= map->end; end++)
		;
	memmove(&maps[at], &maps[end], (*nr - end) * sizeof(*maps));
	*nr -= end - at;
	if (at < *nr && maps[at].start < map->end)
		maps[at] = tail_of(maps[at], map->end);
	insert(maps, nr, at, map);
}

/*
 * Set @maps, which has room for STACK_WALK_MAPS, to the mappings of process @pid at @time, sorted.
 * Return their number.
 */
u32 map_log_at(const struct map_log *log, u64 time, u32 pid, struct walk_map *maps)
{
	const struct logged_process *process = find(log, pid);
	const struct logged_map *logged;
	size_t i, all = process ? process->nr : 0;
	struct walk_map map;
	u32 nr = 0;

	for (i = 0; i < all && process->maps[i].time <= time; i++) {
		logged = &process->maps[i];
		if (!logged->end) {
			nr = 0;
			continue;
		}
		map = (struct walk_map){ logged->start, logged->end, logged->offset, NULL, false };
		if (logged->file)
			map.table = table_store_table(log->store, logged->file, &map.is_pending);
		overlay(maps, &nr, &map);
	}
	return nr;
}

static void free_process(void *entry)
{
	struct logged_process *process = entry;

	free(process->maps);
	free(process);
}

void map_log_free(struct map_log *log)
{
	hash_table_free(&log->processes, free_process);
	*log = (struct map_log){ .store = log->store };
}
