// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - read JIT-compiled functions from jitdump files
 *
 * Malformed records are skipped. The last record may be incomplete, because the JIT
 * compiler may still be running.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/jit_dump.h"
#include "symbols/trusted_file.h"

#define MAGIC		0x4a695444U	/* "JiTD" */
#define MAX_NAME	4096
#define MAX_LINES	(4U << 20)	/* size of a table of lines */

/* Flag in the header of the file: times are TSC values. */
#define FLAG_TSC	1

enum {
	CODE_LOAD = 0,
	CODE_MOVE = 1,
	CODE_LINES = 2,
};

struct dump_header {
	u32	magic;
	u32	version;
	u32	size;
	u32	machine;
	u32	pad;
	u32	pid;
	u64	time;
	u64	flags;
};

struct record_prefix {
	u32	id;
	u32	size;
	u64	time;
};

struct code_load {
	u32	pid;
	u32	tid;
	u64	vma;
	u64	start;
	u64	len;
	u64	index;
};

struct code_move {
	u32	pid;
	u32	tid;
	u64	vma;
	u64	from;
	u64	to;
	u64	len;
	u64	index;
};

/**
 * struct reading - state of reading a file
 * @file:	the file
 * @pid:	id of the process that wrote the file, as that process sees it (pid
 *		namespaces)
 * @at:		offset of the current record
 * @prefix:	header of the current record
 * @names:	receives the names of functions
 * @symtab:	receives the functions
 * @loads:	receives the addresses of functions, with times
 * @lines:	receives the source lines of functions
 * @table:	lines of a function that is not loaded yet
 * @table_start: address of that function
 * @known:	latest load of each code index
 */
struct reading {
	FILE	*file;
	u32	pid;
	u64	at;
	struct record_prefix prefix;
	struct interned *names;
	struct symtab *symtab;
	struct jit_loads *loads;
	struct jit_lines *lines;
	struct bytes table;
	u64	table_start;
	struct hash_table known;
};

static bool take(struct reading *reading, void *data, size_t bytes)
{
	return fread(data, bytes, 1, reading->file) == 1;
}

/* Read a name, truncated to MAX_NAME bytes. Return false if it is empty. */
static bool take_name(struct reading *reading, u64 room, char name[MAX_NAME])
{
	size_t bytes = fread(name, 1, room < MAX_NAME ? room : MAX_NAME, reading->file);

	if (bytes)
		name[bytes - 1] = '\0';
	return bytes && *name;
}

static int place(struct reading *reading, u64 index, const struct jit_load *load)
{
	struct jit_load *known = hash_table_get(&reading->known, index, sizeof(*known));

	if (!known)
		return -ENOMEM;
	*known = *load;
	return jit_loads_add(reading->loads, load);
}

static bool is_place(u64 start, u64 len)
{
	return len && start + len > start;
}

/* Keep the lines of a function until read_load() reads its load. Return the same as that. */
static int read_lines(struct reading *reading)
{
	u64 room = reading->prefix.size - sizeof(reading->prefix);
	void *to;

	bytes_free(&reading->table);
	if (room <= sizeof(reading->table_start) || room > MAX_LINES)
		return 0;
	if (!take(reading, &reading->table_start, sizeof(reading->table_start)))
		return 1;
	to = bytes_extend(&reading->table, room - sizeof(reading->table_start));
	if (!to)
		return -ENOMEM;
	return take(reading, to, room - sizeof(reading->table_start)) ? 0 : 1;
}

/* Add the lines of a function that was loaded, if it has any. */
static int add_lines(struct reading *reading, const struct jit_load *load)
{
	int err = 0;

	if (reading->table.len && reading->table_start == load->start)
		err = jit_lines_add(reading->lines, reading->names, &reading->table, load);
	bytes_free(&reading->table);
	return err;
}

/*
 * Read a load record, which ends with the function's name and code. Skip a malformed
 * record, and a record that another process wrote: a child may write to the file that
 * it inherited.
 *
 * Return 0; 1 at the end of the file; -ENOMEM if memory runs out.
 */
static int read_load(struct reading *reading)
{
	struct symbol symbol = { .binding = SYMBOL_GLOBAL };
	u64 room = reading->prefix.size - sizeof(reading->prefix);
	struct code_load code;
	struct jit_load load;
	char name[MAX_NAME];

	if (room < sizeof(code))
		return 0;
	if (!take(reading, &code, sizeof(code)))
		return 1;
	room -= sizeof(code);
	if (!is_place(code.start, code.len) || code.len > room || code.pid != reading->pid ||
	    !take_name(reading, room - code.len, name))
		return 0;
	load = (struct jit_load){ reading->prefix.time, code.start, code.len,
				  reading->at + reading->prefix.size - code.len };
	symbol.start = load.offset;
	symbol.end = load.offset + code.len;
	symbol.name = interned_get(reading->names, name);
	if (!symbol.name || symtab_add(reading->symtab, &symbol) || add_lines(reading, &load))
		return -ENOMEM;
	return place(reading, code.index, &load);
}

/*
 * Read a move record. Skip the same records as read_load(), and those with an unknown
 * code index. Return the same as read_load().
 */
static int read_move(struct reading *reading)
{
	struct jit_load *known, load;
	struct code_move move;

	if (reading->prefix.size < sizeof(reading->prefix) + sizeof(move))
		return 0;
	if (!take(reading, &move, sizeof(move)))
		return 1;
	if (!is_place(move.to, move.len) || move.pid != reading->pid)
		return 0;
	known = hash_table_find(&reading->known, hash_number(move.index), NULL, NULL);
	if (!known)
		return 0;
	load = *known;
	load.time = reading->prefix.time;
	load.start = move.to;
	load.len = move.len < load.len ? move.len : load.len;
	return place(reading, move.index, &load);
}

static int read_record(struct reading *reading)
{
	switch (reading->prefix.id) {
	case CODE_LOAD:
		return read_load(reading);
	case CODE_MOVE:
		return read_move(reading);
	case CODE_LINES:
		return read_lines(reading);
	default:
		return 0;
	}
}

static int read_records(struct reading *reading)
{
	int ret = 0;

	while (!ret && !fseeko(reading->file, reading->at, SEEK_SET) &&
	       take(reading, &reading->prefix, sizeof(reading->prefix)) &&
	       reading->prefix.size >= sizeof(reading->prefix)) {
		ret = read_record(reading);
		reading->at += reading->prefix.size;
	}
	return ret < 0 ? ret : 0;
}

static bool read_header(struct reading *reading)
{
	struct dump_header header;

	if (!take(reading, &header, sizeof(header)) || header.magic != MAGIC ||
	    header.size < sizeof(header) || header.flags & FLAG_TSC)
		return false;
	reading->pid = header.pid;
	reading->at = header.size;
	return true;
}

/* Return true if @path has the name of a jitdump file, jit-PID.dump. */
bool jit_dump_is_name(const char *path)
{
	const char *base = strrchr(path, '/');
	size_t digits;

	base = base ? base + 1 : path;
	if (!begins_with(base, "jit-"))
		return false;
	base += strlen("jit-");
	digits = strspn(base, "0123456789");
	return digits && !strcmp(base + digits, ".dump");
}

/*
 * Read a jitdump file, which may be malformed. @ino is its recorded inode number, 0
 * if unknown. @symtab receives the functions. The address of a function in @symtab
 * is the file offset of its code, as in @lines. Return SYMBOL_FOUND, or the reason why there are
 * no functions.
 */
enum symbol_status jit_dump_load(const char *path, u64 ino, struct interned *names,
				 struct symtab *symtab, struct jit_loads *loads,
				 struct jit_lines *lines)
{
	struct reading reading = { .names = names, .symtab = symtab, .loads = loads,
				   .lines = lines };
	enum symbol_status status = trusted_file_open(path, ino, &reading.file);
	int err = 0;

	if (status)
		return status;
	if (read_header(&reading))
		err = read_records(&reading);
	else
		status = SYMBOL_UNREADABLE;
	fclose(reading.file);
	hash_table_free(&reading.known, free);
	bytes_free(&reading.table);
	jit_loads_sort(loads);
	jit_lines_sort(lines);
	if (err || status || symtab_finish(symtab))
		return SYMBOL_UNREADABLE;
	return symtab->nr ? SYMBOL_FOUND : SYMBOL_STRIPPED;
}
