/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - append synthesized records to a buffer
 *
 * At the start of a recording, such records describe the existing tasks and mappings. At
 * the end, they carry the ledger. The trailer of a record has the fields of its
 * event's sample_type.
 */
#ifndef TPROF_RECORD_MAKE_H
#define TPROF_RECORD_MAKE_H

#include "base/bytes.h"
#include "base/types.h"
#include "perfdata/perfdata.h"

/**
 * struct record_trailer - the trailer of a record, in the order of sample_id_all
 * @pid:	process id
 * @tid:	thread id
 * @time:	time; 0 in records about the state before the recording
 * @cpu:	CPU
 * @id:		identifier of the event
 * @sample_type: sample_type of the event. @cpu is written if this has PERF_SAMPLE_CPU,
 *		@id if this has PERF_SAMPLE_IDENTIFIER; both are written if this is 0.
 */
struct record_trailer {
	u32	pid;
	u32	tid;
	u64	time;
	u32	cpu;
	u64	id;
	u64	sample_type;
};

/* Length of a trailer with all fields. */
#define RECORD_TRAILER_BYTES	32

/**
 * struct mapping - a mapping in an address space
 * @start:	first address
 * @len:	length in bytes
 * @pgoff:	file offset of @start, in bytes
 * @major:	major device number of the file
 * @minor:	minor device number of the file
 * @ino:	inode number of the file
 * @prot:	PROT_*
 * @flags:	MAP_*
 * @build_id:	build-id of the file; if known, it replaces device and inode
 * @name:	path of the file, or a name in brackets such as [heap]
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

void record_add_trailer(struct bytes *out, const struct record_trailer *trailer);
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
