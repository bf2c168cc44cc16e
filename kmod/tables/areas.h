/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the executable mappings of an address space, as they are now
 *
 * Context: process, may sleep, without the lock of the address space.
 */
#ifndef TPROF_AREAS_H
#define TPROF_AREAS_H

#include <linux/rcupdate.h>
#include <linux/uidgid.h>

#include "tables/map.h"
#include "tables/object.h"

struct mm_struct;

/**
 * struct tprof_areas - a map and its memory
 * @map:	the map; its entries are in @entries
 * @rcu:	frees it after a grace period, as an NMI may read it
 * @changes:	changes of the address space that the map has: see struct space
 * @bytes:	length of this struct and @entries
 * @user:	user to which @bytes count
 * @entries:	entries of @map
 */
struct tprof_areas {
	struct tprof_map	map;
	struct rcu_head		rcu;
	u32			changes;
	size_t			bytes;
	kuid_t			user;
	struct tprof_map_entry	entries[];
};

struct tprof_areas *tprof_areas_read(struct mm_struct *mm, struct tprof_objects *objects,
				     kuid_t user);
void tprof_areas_free(struct tprof_areas *areas, struct tprof_objects *objects);

#endif /* TPROF_AREAS_H */
