// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - append synthesized records to a buffer
 */
#include <string.h>
#include <sys/mman.h>

#include "perfdata/record_make.h"

/* Longer names are truncated: a record has a 16-bit size. */
#define NAME_LIMIT	4096

static void add_header(struct bytes *out, u32 type, u16 misc, size_t body)
{
	struct perf_event_header header = {
		.type = type,
		.misc = misc,
		.size = sizeof(header) + body,
	};

	bytes_add(out, &header, sizeof(header));
}

static size_t name_len(const char *name)
{
	return strnlen(name, NAME_LIMIT - 1);
}

/* Return the size of a name in a record, with the zero byte and padding to 8 bytes. */
static size_t name_size(const char *name)
{
	return ALIGN_UP(name_len(name) + 1, 8);
}

static void add_name(struct bytes *out, const char *name)
{
	size_t len = name_len(name);
	char *place = bytes_extend(out, name_size(name));

	if (place)
		memcpy(place, name, len);
}

/*
 * Return true if the trailer has @field, which is PERF_SAMPLE_CPU or
 * PERF_SAMPLE_IDENTIFIER.
 */
static bool trailer_has(const struct record_trailer *trailer, u64 field)
{
	return !trailer->sample_type || trailer->sample_type & field;
}

static size_t trailer_size(const struct record_trailer *trailer)
{
	return 16 + 8 * trailer_has(trailer, PERF_SAMPLE_CPU) +
	       8 * trailer_has(trailer, PERF_SAMPLE_IDENTIFIER);
}

void record_add_trailer(struct bytes *out, const struct record_trailer *trailer)
{
	bytes_add_u32(out, trailer->pid);
	bytes_add_u32(out, trailer->tid);
	bytes_add_u64(out, trailer->time);
	if (trailer_has(trailer, PERF_SAMPLE_CPU))
		bytes_add_u64(out, trailer->cpu);
	if (trailer_has(trailer, PERF_SAMPLE_IDENTIFIER))
		bytes_add_u64(out, trailer->id);
}

void record_comm(struct bytes *out, const struct record_trailer *trailer, const char *comm)
{
	add_header(out, PERF_RECORD_COMM, 0, 8 + name_size(comm) + trailer_size(trailer));
	bytes_add_u32(out, trailer->pid);
	bytes_add_u32(out, trailer->tid);
	add_name(out, comm);
	record_add_trailer(out, trailer);
}

/*
 * Append FORK. The records of the child's mappings follow, so set MISC_FORK_EXEC:
 * without that bit, readers would copy the mappings of the parent to the child.
 */
void record_fork(struct bytes *out, const struct record_trailer *trailer, u32 ppid, u32 ptid)
{
	add_header(out, PERF_RECORD_FORK, PERF_RECORD_MISC_FORK_EXEC, 24 + trailer_size(trailer));
	bytes_add_u32(out, trailer->pid);
	bytes_add_u32(out, ppid);
	bytes_add_u32(out, trailer->tid);
	bytes_add_u32(out, ptid);
	bytes_add_u64(out, trailer->time);
	record_add_trailer(out, trailer);
}

/* Append MMAP for the kernel or a module. */
void record_kernel_mmap(struct bytes *out, const struct record_trailer *trailer,
			const struct mapping *map)
{
	add_header(out, PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL,
		   32 + name_size(map->name) + trailer_size(trailer));
	bytes_add_u32(out, trailer->pid);
	bytes_add_u32(out, trailer->tid);
	bytes_add_u64(out, map->start);
	bytes_add_u64(out, map->len);
	bytes_add_u64(out, map->pgoff);
	add_name(out, map->name);
	record_add_trailer(out, trailer);
}

/* Append the 24 bytes that identify the file: its build-id if known, else its inode. */
static void add_identity(struct bytes *out, const struct mapping *map)
{
	u8 by_build_id[24] = { map->build_id.size };

	if (!map->build_id.size) {
		bytes_add_u32(out, map->major);
		bytes_add_u32(out, map->minor);
		bytes_add_u64(out, map->ino);
		bytes_add_u64(out, 0);
		return;
	}
	memcpy(by_build_id + 4, map->build_id.data, BUILD_ID_MAX);
	bytes_add(out, by_build_id, sizeof(by_build_id));
}

/* Append MMAP2 for a mapping of a process. */
void record_mmap2(struct bytes *out, const struct record_trailer *trailer,
		  const struct mapping *map)
{
	u16 misc = PERF_RECORD_MISC_USER;

	if (!(map->prot & PROT_EXEC))
		misc |= PERF_RECORD_MISC_MMAP_DATA;
	if (map->build_id.size)
		misc |= PERF_RECORD_MISC_MMAP_BUILD_ID;
	add_header(out, PERF_RECORD_MMAP2, misc, 64 + name_size(map->name) + trailer_size(trailer));
	bytes_add_u32(out, trailer->pid);
	bytes_add_u32(out, trailer->tid);
	bytes_add_u64(out, map->start);
	bytes_add_u64(out, map->len);
	bytes_add_u64(out, map->pgoff);
	add_identity(out, map);
	bytes_add_u32(out, map->prot);
	bytes_add_u32(out, map->flags);
	add_name(out, map->name);
	record_add_trailer(out, trailer);
}

/*
 * Append CGROUP, which carries data that perf has no record for. @path is a text with
 * one of the prefixes in <linux/tprof_lx.h>.
 */
void record_cgroup(struct bytes *out, const struct record_trailer *trailer, u64 id,
		   const char *path)
{
	add_header(out, PERF_RECORD_CGROUP, 0, 8 + name_size(path) + trailer_size(trailer));
	bytes_add_u64(out, id);
	add_name(out, path);
	record_add_trailer(out, trailer);
}

void record_finished_round(struct bytes *out)
{
	add_header(out, PERFDATA_FINISHED_ROUND, 0, 0);
}
