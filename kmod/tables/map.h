/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the executable mappings of an address space, and their tables
 *
 * Context: any, NMI included. No locks; one loop, of at most 14 steps. The unit test
 * walk_test compiles this file in user space.
 */
#ifndef TPROF_MAP_H
#define TPROF_MAP_H

#include "tables/table.h"

#define TPROF_MAP_MAX_ENTRIES	2048U

/**
 * struct tprof_map_entry - an executable mapping
 * @start:	first address
 * @end:	address after the last one
 * @offset:	file offset of @start
 * @table:	where the address of the file's table is, or NULL if the file has no build-id.
 *		The table may be NULL, and changes at any time
 */
struct tprof_map_entry {
	unsigned long			start;
	unsigned long			end;
	u64				offset;
	const struct tprof_table *const	*table;
};

/**
 * struct tprof_map - the executable mappings of an address space
 * @entries:	mappings, sorted by address
 * @nr:		number of @entries
 * @is_partial:	the address space has more mappings than TPROF_MAP_MAX_ENTRIES
 * @number:	number that no other map has or has had, not 0
 */
struct tprof_map {
	const struct tprof_map_entry	*entries;
	u32				nr;
	bool				is_partial;
	u64				number;
};

/**
 * tprof_map_find - find the mapping of an address
 * @map:	mappings
 * @address:	any number
 *
 * Context: any, NMI included.
 * Return: mapping, or NULL.
 */
static __always_inline const struct tprof_map_entry *
tprof_map_find(const struct tprof_map *map, unsigned long address)
{
	const struct tprof_map_entry *entry = map->entries;
	u32 nr = map->nr, half;

	if (unlikely(!nr || address < entry->start))
		return NULL;
	while (nr > 1) {
		half = nr / 2;
		entry = entry[half].start <= address ? entry + half : entry;
		nr -= half;
	}
	return likely(address < entry->end) ? entry : NULL;
}

#endif /* TPROF_MAP_H */
