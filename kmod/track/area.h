/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - an area of an address space, and its MMAP2 record
 *
 * An area is noted with the mmap lock held, and described later without it, because the path
 * and the build-id of its file take long to find.
 */
#ifndef TPROF_AREA_H
#define TPROF_AREA_H

#include <linux/mm.h>

#include "track/mapping.h"
#include "track/track_list.h"

/* Size of the name of an area without a file, same as in perf. */
#define TPROF_AREA_NAME_BYTES	16

/**
 * struct tprof_area - an area
 * @file:	mapped file, with a reference, or NULL
 * @start:	first address
 * @end:	address after the last one
 * @pgoff:	offset in @file, in pages
 * @vm_flags:	flags of the area
 * @name:	name of the area if @file is NULL
 */
struct tprof_area {
	struct file	*file;
	unsigned long	start;
	unsigned long	end;
	unsigned long	pgoff;
	unsigned long	vm_flags;
	char		name[TPROF_AREA_NAME_BYTES];
};

/**
 * enum tprof_area_id - how to find the build-id of the file of an area
 * @TPROF_AREA_NO_ID:	do not look for it
 * @TPROF_AREA_ID_CACHED: read pages that are in memory
 * @TPROF_AREA_ID:	also read those that are not, if the area is executable
 */
enum tprof_area_id {
	TPROF_AREA_NO_ID,
	TPROF_AREA_ID_CACHED,
	TPROF_AREA_ID,
};

void tprof_area_note(struct tprof_area *area, struct vm_area_struct *vma);
void tprof_area_describe(const struct tprof_area *area, enum tprof_area_id id, char *buf,
			 struct tprof_mapping *mapping);

/**
 * tprof_area_want - return the bit of @wants that a tracker must have to get the record
 * @vm_flags:	flags of the area
 *
 * Return: bit of enum tprof_track_want.
 */
static inline u32 tprof_area_want(unsigned long vm_flags)
{
	return vm_flags & VM_EXEC ? TPROF_TRACK_MMAP : TPROF_TRACK_MMAP_DATA;
}

#endif /* TPROF_AREA_H */
