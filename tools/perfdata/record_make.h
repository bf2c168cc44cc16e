/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - records that the command line writes itself
 *
 * What existed before a recording began, and the ledger at its end. They are
 * laid out for the sample_type that event_attr() asks for, of which
 * struct record_trailer is the part that every record carries.
 */
#ifndef TPROF_RECORD_MAKE_H
#define TPROF_RECORD_MAKE_H

#include "base/bytes.h"
#include "base/types.h"
#include "perfdata/perfdata.h"

/**
 * struct record_trailer - the end of a record, as sample_id_all orders it
 * @pid:	process
 * @tid:	thread
 * @time:	when; 0 for what was there before all else
 * @cpu:	where
 * @reserved:	zero
 * @id:		identifier of the event it belongs to
 */
struct record_trailer {
	u32	pid;
	u32	tid;
	u64	time;
	u32	cpu;
	u32	reserved;
	u64	id;
};

/**
 * struct mapping - a piece of an address space
 * @start:	first address
 * @len:	its length
 * @pgoff:	where in the file it starts
 * @major:	device of the file
 * @minor:	see @major
 * @ino:	inode of the file
 * @prot:	PROT_*
 * @flags:	MAP_*
 * @build_id:	of the file; takes the place of device and inode when known
 * @name:	the file, or a name in brackets
 */
struct mapping {
	u64	start;
	u64	len;
	u64	pgoff;
	u32	major;
	u32	minor;
	u64	ino;
	u32	prot;
	u32	flags;
	struct build_id build_id;
	const char *name;
};

void record_comm(struct bytes *out, const struct record_trailer *trailer, const char *comm);
void record_fork(struct bytes *out, const struct record_trailer *trailer, u32 ppid, u32 ptid);
void record_kernel_mmap(struct bytes *out, const struct record_trailer *trailer,
			const struct mapping *map);
void record_mmap2(struct bytes *out, const struct record_trailer *trailer,
		  const struct mapping *map);
void record_cgroup(struct bytes *out, const struct record_trailer *trailer, u64 id,
		   const char *path);
void record_finished_round(struct bytes *out);

#endif /* TPROF_RECORD_MAKE_H */
