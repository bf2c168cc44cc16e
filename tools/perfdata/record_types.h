/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - what each type of record holds
 *
 * One table describes the records of the kernel; what prints them walks it.
 */
#ifndef TPROF_RECORD_TYPES_H
#define TPROF_RECORD_TYPES_H

#include "base/types.h"
#include "perfdata/perfdata.h"

enum record_field_kind {
	FIELD_NONE,
	FIELD_U16,
	FIELD_U32,
	FIELD_S32,
	FIELD_U64,
	FIELD_HEX,
	FIELD_TEXT,	/* up to the trailer */
};

/**
 * struct record_field - a field of a record
 * @name:	what it is called; NULL ends the list
 * @kind:	what it is
 * @offset:	where, from the start of the record
 */
struct record_field {
	const char *name;
	enum record_field_kind kind;
	u16	offset;
};

#define RECORD_FIELDS_MAX	8

/**
 * struct record_type - a type of record
 * @type:	its number
 * @name:	what perf calls it, without PERF_RECORD_
 * @word:	what people type for it
 * @fields:	what it holds
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
 * @size:	where the trailer begins
 * @misc:	of the header
 */
struct record_body {
	const u8 *data;
	size_t	size;
	u16	misc;
};

const struct record_type *record_type_find(u32 type);
const struct record_type *record_type_at(size_t i);
bool record_number(const struct record_body *body, const struct record_field *field, u64 *value);
const char *record_text(const struct record_body *body, const struct record_field *field);

/**
 * struct task_record - COMM, FORK or EXIT, taken apart
 * @pid:	process
 * @tid:	thread
 * @ppid:	of FORK and EXIT: process that it came from
 * @ptid:	likewise its thread
 * @comm:	of COMM: the name
 * @exec:	of COMM: the name came with a new program
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
 * struct map_record - MMAP or MMAP2, taken apart
 * @pid:	process, -1 for the kernel
 * @tid:	thread
 * @start:	first address
 * @len:	length
 * @pgoff:	where in the file it starts
 * @major:	device, unless there is a build-id
 * @minor:	see @major
 * @ino:	inode, likewise
 * @generation:	of the inode, likewise
 * @build_id:	of the file, @size 0 when unknown
 * @prot:	PROT_*, of MMAP only PROT_EXEC or none
 * @flags:	MAP_*
 * @name:	the file
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
 * struct ksymbol_record - KSYMBOL, taken apart
 * @start:	first address
 * @len:	length
 * @is_gone:	it is not there any more
 * @is_piece:	what else is there stays there
 * @name:	what it is called
 */
struct ksymbol_record {
	u64	start;
	u32	len;
	bool	is_gone;
	bool	is_piece;
	const char *name;
};

int record_task(const struct record_body *body, u32 type, struct task_record *task);
int record_map(const struct record_body *body, u32 type, struct map_record *map);
int record_ksymbol(const struct record_body *body, struct ksymbol_record *ksymbol);

#endif /* TPROF_RECORD_TYPES_H */
