/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx export - the tables that all threads of a Firefox profile share
 *
 * A table is an object with an array for each column. Rows refer to rows of other tables by
 * their index.
 *
 * The tables are written at the end.
 */
#ifndef TPROF_EXPORT_FIREFOX_TABLES_H
#define TPROF_EXPORT_FIREFOX_TABLES_H

#include "base/json.h"
#include "base/text.h"
#include "export/frames.h"

/* The digits after the point of a time in milliseconds with nanoseconds. */
#define MS_DIGITS	6

/**
 * struct index_of - rows of a table, by a key
 * @table:	numbers of rows, plus one, by the hash of the key, which is a number
 * @rows:	what the rows are about, by row
 * @room:	capacity of @rows
 */
struct index_of {
	struct hash_table table;
	const void **rows;
	size_t	room;
};

/**
 * struct firefox_tables - the tables, and the state of writing them
 * @frames:	frames, functions and stacks
 * @json:	writes the document
 * @text:	writes the elements of columns, between calls of @json
 * @names:	names that are not in @frames
 * @strings:	all texts, by their pointers
 * @objects:	binaries, by their pointers
 * @sources:	source files, by the pointers of their names
 * @symbols:	a frame of each function in machine code, by binary and first address
 * @err:	first error
 */
struct firefox_tables {
	const struct frames *frames;
	struct json json;
	struct text text;
	struct interned names;
	struct index_of strings;
	struct index_of objects;
	struct index_of sources;
	struct index_of symbols;
	int	err;
};

void firefox_tables_begin(struct firefox_tables *tables, const struct frames *frames, FILE *out);
size_t firefox_string(struct firefox_tables *tables, const char *text);
const char *firefox_name(struct firefox_tables *tables, const char *text);
void firefox_column(struct firefox_tables *tables, const char *key, size_t nr,
		    void (*put)(struct firefox_tables *tables, size_t i));
void firefox_tables_libs(struct firefox_tables *tables);
void firefox_tables_shared(struct firefox_tables *tables);
void firefox_tables_free(struct firefox_tables *tables);

#endif /* TPROF_EXPORT_FIREFOX_TABLES_H */
