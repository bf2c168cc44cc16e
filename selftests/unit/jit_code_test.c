// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - code and source lines of JIT-compiled functions
 *
 * The test writes a jitdump file with functions that never run.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "code/code_source.h"
#include "symbols/object_dwarf.h"
#include "symbols/object_load.h"
#include "symbols/objects.h"
#include "unit.h"

#define PLACE	0x7f0000001000ULL
#define LEN	0x80

static char path[64];
static FILE *dump;

/**
 * struct row - an entry of a table of lines
 * @at:		offset in the function
 * @line:	the line
 * @path:	the source file, or "\xff" for that of the row before
 */
struct row {
	u64	at;
	u32	line;
	const char *path;
};

static void put(const void *data, size_t len)
{
	if (fwrite(data, 1, len, dump) != len)
		abort();
}

static void put_prefix(u32 id, size_t len)
{
	u32 words[] = { id, 16 + len };
	u64 time = 100;

	put(words, sizeof(words));
	put(&time, sizeof(time));
}

/* Write a table of @nr lines. It says that it has @claimed lines. */
static void put_lines(u64 start, const struct row *rows, u64 nr, u64 claimed)
{
	u64 head[] = { start, claimed }, addr;
	size_t len = sizeof(head), i;
	u32 numbers[2] = { 0 };

	for (i = 0; i < nr; i++)
		len += 16 + strlen(rows[i].path) + 1;
	put_prefix(2, len);
	put(head, sizeof(head));
	for (i = 0; i < nr; i++) {
		addr = start + rows[i].at;
		numbers[0] = rows[i].line;
		put(&addr, sizeof(addr));
		put(numbers, sizeof(numbers));
		put(rows[i].path, strlen(rows[i].path) + 1);
	}
}

/* Write a function of LEN bytes @code. */
static void put_load(u64 start, const char *name, u8 code)
{
	u32 ids[] = { getpid(), getpid() };
	u64 numbers[] = { start, start, LEN, start };
	u8 body[LEN];

	memset(body, code, sizeof(body));
	put_prefix(0, sizeof(ids) + sizeof(numbers) + strlen(name) + 1 + LEN);
	put(ids, sizeof(ids));
	put(numbers, sizeof(numbers));
	put(name, strlen(name) + 1);
	put(body, sizeof(body));
}

static void write_dump(void)
{
	static const struct row plain[] = {
		{ 0, 10, "/src/a.js" }, { 8, 11, "\xff" }, { 0x60, 12, "/src/b.js" },
	};
	static const struct row moved[] = { { 0x40, 20, "/src/a.js" }, { 0x48, 21, "/src/a.js" } };
	static const struct row outside[] = { { 0, 30, "/src/a.js" }, { 2 * LEN, 31, "\xff" } };
	static const struct row unnamed[] = { { 0, 40, "\xff" } };
	u32 header[] = { 0x4a695444, 1, 40, 62, 0, getpid() };
	u64 numbers[2] = { 1 };

	snprintf(path, sizeof(path), "/tmp/jit-%d.dump", getpid());
	dump = fopen(path, "we");
	if (!dump)
		abort();
	put(header, sizeof(header));
	put(numbers, sizeof(numbers));
	put_lines(PLACE, plain, 3, 3);
	put_load(PLACE, "plain", 1);
	put_lines(PLACE + LEN, moved, 2, 2);
	put_load(PLACE + LEN, "moved", 2);
	put_lines(PLACE + 2 * LEN, outside, 2, 2);
	put_load(PLACE + 2 * LEN, "outside", 3);
	put_lines(PLACE + 3 * LEN, unnamed, 1, 1);
	put_load(PLACE + 3 * LEN, "unnamed", 4);
	put_lines(PLACE + 4 * LEN, plain, 3, 1000);
	put_load(PLACE + 4 * LEN, "short", 5);
	/* A table of 0 bytes. */
	put_prefix(2, sizeof(numbers[0]));
	put(numbers, sizeof(numbers[0]));
	put_lines(PLACE + 9 * LEN, plain, 3, 3);
	put_load(PLACE + 5 * LEN, "other", 6);
	fclose(dump);
}

static const struct symbol *find(const struct object *object, const char *name)
{
	size_t i;

	for (i = 0; i < object->symtab.nr; i++) {
		if (!strcmp(object->symtab.symbols[i].name, name))
			return &object->symtab.symbols[i];
	}
	abort();
}

/* Return true if the byte at @at in a function is in line @line of @file. */
static bool is_at(struct objects *objects, struct object *object, const char *name, u64 at,
		  const char *file, int line)
{
	struct source source = object_source(&objects->sources, object,
					     find(object, name)->start + at);

	return source.path && !strcmp(source.path, file) && source.line == line;
}

static bool has_lines(struct objects *objects, struct object *object, const char *name)
{
	u64 start = find(object, name)->start, at;

	for (at = 0; at < LEN; at++) {
		if (object_source(&objects->sources, object, start + at).path)
			return true;
	}
	return false;
}

static void test_code(struct objects *objects, struct object *object)
{
	struct function_code found;
	enum code_status status;

	status = code_find(&objects->sources, object, find(object, "moved"), &found);
	unit_ok(status == CODE_FOUND && found.code.len == LEN && found.code.bytes[0] == 2 &&
		found.code.bytes[LEN - 1] == 2 && found.code.addr == PLACE + LEN,
		"the code of a function is in the dump, and has the address where it ran");
	unit_ok(code_address(object, find(object, "moved")) == PLACE + LEN,
		"the address of a function is the one where it ran");
	code_free(&found);
}

static void test_lines(struct objects *objects, struct object *object)
{
	unit_ok(is_at(objects, object, "plain", 0, "/src/a.js", 10) &&
		is_at(objects, object, "plain", 7, "/src/a.js", 10) &&
		is_at(objects, object, "plain", 8, "/src/a.js", 11) &&
		is_at(objects, object, "plain", LEN - 1, "/src/b.js", 12),
		"each byte of a function has the last line before it");
	unit_ok(is_at(objects, object, "moved", 0, "/src/a.js", 20) &&
		is_at(objects, object, "moved", 8, "/src/a.js", 21),
		"the size of an ELF header in addresses is left out");
	unit_ok(!has_lines(objects, object, "outside"), "a table beyond the function is not used");
	unit_ok(!has_lines(objects, object, "unnamed"), "a table without a path is not used");
	unit_ok(!has_lines(objects, object, "short"), "an incomplete table is not used");
	unit_ok(!has_lines(objects, object, "other"), "the table of another function is not used");
	unit_ok(!strcmp(object_line(&objects->sources, object, find(object, "plain")->start,
				    find(object, "plain")), "a.js:10"),
		"the key srcline has the line");
}

int main(void)
{
	static const struct symbol_options options;
	struct object_key key = { .name = path, .kind = OBJECT_JIT_DUMP, .pid = getpid() };
	struct objects objects;
	struct object *object;

	write_dump();
	objects_init(&objects, &options);
	object = objects_get(&objects, &key);
	if (!object)
		abort();
	object_load(&objects.sources, object);
	test_code(&objects, object);
	test_lines(&objects, object);
	objects_free(&objects);
	unlink(path);
	return unit_exit();
}
