/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the mappings of each process
 *
 * After a fork, parent and child share a list of mappings until the mappings of one of
 * them change. A new mapping replaces others where it overlaps them. After an exec, the
 * old mappings stay where no new one is.
 *
 * The mappings of the program before an exec are kept until the next exec, since callers may
 * be in that program, and the mappings of the last 1024 processes whose threads have all
 * exited.
 */
#ifndef TPROF_SPACES_H
#define TPROF_SPACES_H

#include "base/hash_table.h"
#include "symbols/objects.h"

/**
 * struct map - a mapping
 * @start:	first address
 * @end:	last address + 1
 * @to_object:	address in @object = address + @to_object
 * @object:	the mapped binary
 */
struct map {
	u64	start;
	u64	end;
	u64	to_object;
	struct object *object;
};

/**
 * struct map_list - mappings sorted by address, without overlaps
 * @users:	number of address spaces that share the list
 * @nr:		number of mappings
 * @room:	capacity of @maps
 * @half:	the highest power of two up to @nr, or 0 if @nr is 0
 * @maps:	the mappings; they follow @ends in the same allocation
 * @ends:	the @end of each mapping again, in a dense array that is faster to search.
 *		The entries after the last mapping are ~0: a search reads up to
 *		2 * @half - 1 entries.
 */
struct map_list {
	u32	users;
	u32	nr;
	u32	room;
	u32	half;
	struct map *maps;
	u64	ends[];
};

/**
 * struct space - the address space of a process
 * @pid:	the process; SPACE_KERNEL for the kernel
 * @list:	its mappings, NULL for none
 * @before:	mappings of the program before the last exec, NULL for none
 * @all:	the set that this address space belongs to
 * @ended:	the process has ended
 * @nr_threads:	number of its threads, as far as they have FORK and EXIT records; 0 if the
 *		first thread has no FORK record
 * @nr_gone:	how often it is in spaces.gone
 */
struct space {
	u32	pid;
	struct map_list *list;
	struct map_list *before;
	struct spaces *all;
	bool	ended;
	u32	nr_threads;
	u32	nr_gone;
};

#define RECENT_SPACES	256
#define GONE_SPACES	1024

/**
 * struct spaces - all address spaces; empty if all members are zero
 * @table:	address spaces, by process id
 * @recent:	cache of address spaces, indexed by process id % RECENT_SPACES
 * @gone:	address spaces whose last thread exited, as a ring
 * @nr_gone:	number of address spaces that were added to @gone
 * @total:	sum of the capacities of all lists
 * @nr_ended:	number of processes that ended since the last walk of forget_ended()
 * @nr_left_out: mappings left out because a limit was reached
 */
struct spaces {
	struct hash_table table;
	struct space *recent[RECENT_SPACES];
	struct space *gone[GONE_SPACES];
	u64	nr_gone;
	u64	total;
	u32	nr_ended;
	u64	nr_left_out;
};

#define SPACE_KERNEL	(~0U)

struct space *spaces_make(struct spaces *spaces, u32 pid);
int spaces_fork(struct spaces *spaces, u32 parent, u32 child);
void spaces_exec(struct spaces *spaces, u32 pid);
int spaces_add_thread(struct spaces *spaces, u32 pid, u32 tid);
void spaces_remove_thread(struct spaces *spaces, u32 pid);
void spaces_end(struct spaces *spaces, u32 pid);
int space_add(struct space *space, const struct map *map);
void space_clear(struct space *space);
const struct map *space_next(const struct space *space, u64 addr);
void spaces_free(struct spaces *spaces);

/* Find or create the address space of a process. Return NULL if out of memory. */
static inline struct space *spaces_get(struct spaces *spaces, u32 pid)
{
	struct space *space = spaces->recent[pid % RECENT_SPACES];

	return space && space->pid == pid ? space : spaces_make(spaces, pid);
}

/*
 * Return @condition. GCC takes it to be true as often as false, and selects with CMOV instead of a
 * branch: the CPU would mispredict a branch that depends on addresses.
 */
#define unpredictable(condition)	__builtin_expect_with_probability(condition, 1, 0.5)

/*
 * Return the index of the first mapping that ends above @addr. If there is none, return the
 * number of mappings or, if @addr is ~0, a higher number.
 */
static inline u64 maps_behind(const struct map_list *list, u64 addr)
{
	u64 at = 0, middle, half;

	for (half = list->half; half; half /= 2) {
		middle = at + half;
		at = unpredictable(list->ends[middle - 1] <= addr) ? middle : at;
	}
	return at;
}

/* Return the first mapping that ends above @addr, or NULL. */
static inline const struct map *map_list_behind(const struct map_list *list, u64 addr)
{
	u64 at = maps_behind(list, addr);

	return at < list->nr ? &list->maps[at] : NULL;
}

static inline const struct map *map_list_find(const struct map_list *list, u64 addr)
{
	const struct map *map = list ? map_list_behind(list, addr) : NULL;

	return map && map->start <= addr ? map : NULL;
}

/* Return the mapping at @addr, or NULL. It is valid until the mappings change. */
static inline const struct map *space_find(const struct space *space, u64 addr)
{
	const struct map *map = map_list_find(space->list, addr);

	return map || !space->before ? map : map_list_find(space->before, addr);
}

#endif /* TPROF_SPACES_H */
