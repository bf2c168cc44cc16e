/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - describe and parse the kernel's records
 *
 * A table has the name and the fields of each record type. `tprof-lx script` prints
 * records by this table, and `tprof-lx info` counts the records of each type. A record
 * type that changes struct world also has a parse function.
 */
#ifndef TPROF_RECORD_TYPES_H
#define TPROF_RECORD_TYPES_H

#include "base/types.h"
#include "perfdata/layout.h"
#include "perfdata/perfdata.h"

enum record_field_kind {
	FIELD_NONE,
	FIELD_U16,
	FIELD_U32,
	FIELD_S32,
	FIELD_U64,
	FIELD_HEX,
	FIELD_TEXT,	/* string that ends with a zero byte */
};

/**
 * struct record_field - a field of a record
 * @name:	its name; NULL ends the list
 * @kind:	size and format
 * @offset:	offset from the start of the record, in bytes
 */
struct record_field {
	const char *name;
	enum record_field_kind kind;
	u16	offset;
};

#define RECORD_FIELDS_MAX	8

/**
 * struct record_type - a record type
 * @type:	PERF_RECORD_*
 * @name:	its name in perf, without PERF_RECORD_
 * @word:	its name in options
 * @fields:	its fields
 */
struct record_type {
	u32	type;
	const char *name;
	const char *word;
	struct record_field fields[RECORD_FIELDS_MAX + 1];
};

/**
 * struct record_body - the part of a record that its type describes
 * @data:	the record, header included
 * @size:	size of the record without its trailer
 * @misc:	header.misc
 */
struct record_body {
	const u8 *data;
	size_t	size;
	u16	misc;
};

const struct record_type *record_type_find(u32 type);
bool record_is_about_file(u32 type);
const struct record_type *record_type_at(size_t i);
bool record_number(const struct record_body *body, const struct record_field *field, u64 *value);
const char *record_own_path(const struct record_body *body, u32 type, const char *prefix);
const char *record_text(const struct record_body *body, const struct record_field *field);

/**
 * struct task_record - parsed COMM, FORK or EXIT
 * @pid:	process id
 * @tid:	thread id
 * @ppid:	FORK and EXIT: process id of the parent
 * @ptid:	FORK and EXIT: thread id of the parent
 * @comm:	COMM: name of the thread
 * @exec:	COMM: execve(2) set the name
 */
struct task_record {
	s32	pid;
	s32	tid;
	s32	ppid;
	s32	ptid;
	const char *comm;
	bool	exec;
};

/**
 * struct map_record - a parsed MMAP or MMAP2 record
 * @pid:	process id, -1 for the kernel
 * @tid:	thread id
 * @start:	first address
 * @len:	length in bytes
 * @pgoff:	file offset of @start, in bytes
 * @major:	major device number; 0 in an MMAP record or if there is a build-id
 * @minor:	minor device number; 0 in an MMAP record or if there is a build-id
 * @ino:	inode number; 0 in an MMAP record or if there is a build-id
 * @generation:	inode generation; 0 in an MMAP record or if there is a build-id
 * @build_id:	build-id of the file; its size is 0 if the record has none
 * @prot:	PROT_* bits; an MMAP record sets PROT_EXEC for code and 0 for data
 * @flags:	MAP_* bits; 0 in an MMAP record
 * @name:	path of the file
 */
struct map_record {
	s32	pid;
	s32	tid;
	u64	start;
	u64	len;
	u64	pgoff;
	u32	major;
	u32	minor;
	u64	ino;
	u64	generation;
	struct build_id build_id;
	u32	prot;
	u32	flags;
	const char *name;
};

/**
 * struct ksymbol_record - parsed KSYMBOL
 * @start:	first address
 * @len:	length in bytes
 * @is_gone:	the symbol was unregistered
 * @is_piece:	the symbol's type is not UNKNOWN; else it may be a whole module, with
 *		other symbols in its range
 * @name:	name of the symbol
 */
struct ksymbol_record {
	u64	start;
	u32	len;
	bool	is_gone;
	bool	is_piece;
	const char *name;
};

/**
 * struct cgroup_record - parsed CGROUP
 * @id:		identifier of the cgroup
 * @path:	path of the cgroup, or a text with data of tprof-lx
 */
struct cgroup_record {
	u64	id;
	const char *path;
};

/**
 * struct chain_record - parsed CALLCHAIN_DEFERRED
 * @cookie:	the last word in the call chains of the samples that it completes
 * @ips:	addresses of the user, without the mark that they have in a sample
 */
struct chain_record {
	u64	cookie;
	struct words ips;
};

int record_task(const struct record_body *body, u32 type, struct task_record *task);
int record_map(const struct record_body *body, u32 type, struct map_record *map);
int record_ksymbol(const struct record_body *body, struct ksymbol_record *ksymbol);
int record_path(const struct record_body *body, struct cgroup_record *cgroup);
int record_chain(const struct record_body *body, struct chain_record *chain);
size_t record_whole_bytes(const void *records, size_t limit);

#endif /* TPROF_RECORD_TYPES_H */
