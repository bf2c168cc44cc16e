/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - MMAP and MMAP2 records
 *
 * Context: any but NMI.
 */
#ifndef TPROF_MAPPING_H
#define TPROF_MAPPING_H

#include <linux/types.h>

#include "base/elfnote.h"

struct tprof_tracker;

/**
 * struct tprof_mapping - a new mapping of code or data
 * @misc:	PERF_RECORD_MISC_USER or PERF_RECORD_MISC_KERNEL, and for data
 *		PERF_RECORD_MISC_MMAP_DATA
 * @pid:	process, or -1 for the kernel
 * @tid:	thread that created the mapping
 * @start:	address
 * @len:	length
 * @pgoff:	offset in the file, in bytes
 * @maj:	major number of the file's device
 * @min:	minor number of the file's device
 * @ino:	inode number of the file
 * @ino_generation: generation of the inode
 * @prot:	PROT_*, as mmap(2) takes them
 * @flags:	MAP_*, as mmap(2) takes them
 * @name:	path of the file, or a name such as "//anon"
 * @id:		build-id of the file
 * @id_bytes:	length of @id, 0 if there is none
 */
struct tprof_mapping {
	u16		misc;
	u32		pid;
	u32		tid;
	u64		start;
	u64		len;
	u64		pgoff;
	u32		maj;
	u32		min;
	u64		ino;
	u64		ino_generation;
	u32		prot;
	u32		flags;
	const char	*name;
	u8		id[TPROF_ELFNOTE_ID_MAX];
	u8		id_bytes;
};

void tprof_mapping_write(const struct tprof_tracker *tracker,
			 const struct tprof_mapping *mapping);

#endif /* TPROF_MAPPING_H */
