// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - source lines of JIT-compiled functions
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/sorted.h"
#include "symbols/jit_lines.h"

/* `perf inject` puts a function behind a header of this size, and some compilers add it. */
#define ELF_HEADER	0x40

/* A path with this byte only is the same as the path before. */
#define SAME_PATH	"\xff"

struct table_entry {
	u64	addr;
	u32	line;
	u32	column;
};

/**
 * struct table - a table of lines that is being read
 * @at:		the next entry
 * @end:	end of the table
 * @path:	path of the entry before
 */
struct table {
	const u8 *at;
	const u8 *end;
	const char *path;
};

/* Read an entry. Return 0, -ENOMEM, or -EINVAL if the table is malformed. */
static int read_entry(struct table *table, struct interned *names, struct jit_line *line)
{
	struct table_entry entry;
	const char *path;
	const u8 *end;

	if ((size_t)(table->end - table->at) < sizeof(entry))
		return -EINVAL;
	memcpy(&entry, table->at, sizeof(entry));
	path = (const char *)table->at + sizeof(entry);
	end = memchr(path, '\0', table->end - (const u8 *)path);
	if (!end || end == (const u8 *)path)
		return -EINVAL;
	table->at = end + 1;
	if (strcmp(path, SAME_PATH)) {
		table->path = interned_get(names, path);
		if (!table->path)
			return -ENOMEM;
	}
	*line = (struct jit_line){ entry.addr, table->path, entry.line };
	return table->path ? 0 : -EINVAL;
}

static int append(struct jit_lines *lines, const struct jit_line *line)
{
	struct jit_line *list = array_grow(lines->list, lines->nr, &lines->room, sizeof(*list));

	if (!list)
		return -ENOMEM;
	lines->list = list;
	list[lines->nr++] = *line;
	return 0;
}

/* Convert addresses from @first on to offsets in the file. Fail if one is not in @load. */
static int move_lines(struct jit_lines *lines, size_t first, const struct jit_load *load)
{
	u64 start = ~0ULL;
	size_t i;

	for (i = first; i < lines->nr; i++)
		start = lines->list[i].addr < start ? lines->list[i].addr : start;
	if (start < load->start)
		return -EINVAL;
	/* A function has a line in its first bytes. */
	start = load->start + (start - load->start >= ELF_HEADER ? ELF_HEADER : 0);
	for (i = first; i < lines->nr; i++) {
		if (lines->list[i].addr - start > load->len)
			return -EINVAL;
		lines->list[i].addr += load->offset - start;
	}
	return 0;
}

/*
 * Add the lines of a function. Add none if @table is malformed. Return 0 or -ENOMEM.
 *
 * @table: a u64 number of entries, then each struct table_entry and its path
 */
int jit_lines_add(struct jit_lines *lines, struct interned *names, const struct bytes *table,
		  const struct jit_load *load)
{
	struct table rest = { .end = table->data + table->len };
	size_t first = lines->nr;
	struct jit_line line;
	int err = 0;
	u64 nr;

	if (table->len < sizeof(nr))
		return 0;
	memcpy(&nr, table->data, sizeof(nr));
	rest.at = table->data + sizeof(nr);
	for (; nr && !err; nr--) {
		err = read_entry(&rest, names, &line);
		if (!err)
			err = append(lines, &line);
	}
	if (!err && lines->nr > first)
		err = move_lines(lines, first, load);
	if (err)
		lines->nr = first;
	return err == -EINVAL ? 0 : err;
}

static int compare(const void *left, const void *right)
{
	const struct jit_line *a = left, *b = right;

	if (a->addr != b->addr)
		return a->addr < b->addr ? -1 : 1;
	return (a->line > b->line) - (a->line < b->line);
}

void jit_lines_sort(struct jit_lines *lines)
{
	if (lines->nr)
		qsort(lines->list, lines->nr, sizeof(*lines->list), compare);
}

/* Return the last line at @addr or before, or NULL. */
const struct jit_line *jit_lines_find(const struct jit_lines *lines, u64 addr)
{
	size_t above = sorted_above(lines->list, 0, lines->nr, addr, addr);

	return above ? &lines->list[above - 1] : NULL;
}

void jit_lines_free(struct jit_lines *lines)
{
	free(lines->list);
	*lines = (struct jit_lines){ 0 };
}
