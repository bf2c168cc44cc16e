/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - address spaces: what is mapped where, by process
 *
 * A process begins with its parent's mappings, which the two share until one
 * of them changes, and a new mapping takes the place of what it covers.
 */
#ifndef TPROF_SPACES_H
#define TPROF_SPACES_H

#include "base/hash_table.h"
#include "symbols/objects.h"

/**
 * struct map - a piece of an address space
 * @start:	first address
 * @end:	behind the last one
 * @to_object:	added to an address, this makes it one of @object
 * @object:	what is mapped there
 */
struct map {
	u64	start;
	u64	end;
	u64	to_object;
	struct object *object;
};

/**
 * struct map_list - mappings in the order of their addresses, which do not
 *	overlap
 * @users:	address spaces that share it
 * @nr:		how many mappings
 * @room:	how many fit
 * @maps:	the mappings
 */
struct map_list {
	u32	users;
	u32	nr;
	u32	room;
	struct map maps[];
};

/**
 * struct space - the address space of a process
 * @pid:	the process; ~0 for the kernel
 * @list:	its mappings, NULL for none
 * @last:	number of the one that was found last
 * @all:	the address spaces that it is one of
 * @ended:	its process has ended
 */
struct space {
	u32	pid;
	struct map_list *list;
	u32	last;
	struct spaces *all;
	bool	ended;
};

/**
 * struct spaces - all address spaces; all zero is an empty set
 * @table:	by process
 * @last:	the one that was asked for last
 * @total:	room for mappings in all of their lists
 * @nr_ended:	processes that have ended since there was too little room
 * @nr_left_out: mappings for which there was none
 */
struct spaces {
	struct hash_table table;
	struct space *last;
	u64	total;
	u32	nr_ended;
	u64	nr_left_out;
};

#define SPACE_KERNEL	(~0U)

struct space *spaces_get(struct spaces *spaces, u32 pid);
int spaces_fork(struct spaces *spaces, u32 parent, u32 child);
void spaces_end(struct spaces *spaces, u32 pid);
int space_add(struct space *space, const struct map *map);
void space_clear(struct space *space);
const struct map *space_find(struct space *space, u64 addr);
const struct map *space_next(const struct space *space, u64 addr);
void spaces_free(struct spaces *spaces);

#endif /* TPROF_SPACES_H */
