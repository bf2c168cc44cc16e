// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx export - the tables that all threads of a Firefox profile share
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "export/firefox_tables.h"

/* Kernel addresses are too large for a number in JSON, so they are relative to this. */
#define KERNEL_START	0xffffffff80000000ULL

/* Return the row of @what, which has the key @key, or add a row for it. */
static size_t row_of(struct firefox_tables *tables, struct index_of *index, u64 key,
		     const void *what)
{
	u64 hash = hash_number(key);
	void *found = hash_table_find(&index->table, hash, NULL, NULL);
	size_t nr = index->table.nr;
	const void **rows;

	if (found)
		return (uintptr_t)found - 1;
	rows = array_grow(index->rows, nr, &index->room, sizeof(*rows));
	if (rows)
		index->rows = rows;
	if (!rows || hash_table_add(&index->table, hash, (void *)(uintptr_t)(nr + 1))) {
		tables->err = -ENOMEM;
		return 0;
	}
	rows[nr] = what;
	return nr;
}

static size_t string_of(struct firefox_tables *tables, const char *name)
{
	return row_of(tables, &tables->strings, (uintptr_t)name, name);
}

static size_t object_of(struct firefox_tables *tables, const struct object *object)
{
	return row_of(tables, &tables->objects, (uintptr_t)object, object);
}

static size_t source_of(struct firefox_tables *tables, const char *path)
{
	return row_of(tables, &tables->sources, (uintptr_t)path, path);
}

/* The code of an inlined function is in the function around it, with the same start. */
static size_t symbol_of(struct firefox_tables *tables, const struct frame *frame)
{
	u64 key = hash_number(frame->symbol->start) + (uintptr_t)frame->object;

	return row_of(tables, &tables->symbols, key, frame);
}

/* Return a name of the recording as it may be written; "" after an error. */
const char *firefox_name(struct firefox_tables *tables, const char *text)
{
	const char *name = name_get(&tables->names, text);

	if (!name)
		tables->err = -ENOMEM;
	return name ? name : "";
}

/* Return the index of a name of the recording in the array of strings. */
size_t firefox_string(struct firefox_tables *tables, const char *text)
{
	return string_of(tables, firefox_name(tables, text));
}

/* Fill the tables with all rows that @frames needs. */
void firefox_tables_begin(struct firefox_tables *tables, const struct frames *frames, FILE *out)
{
	const struct function *function;
	const struct frame *frame;
	size_t i;

	*tables = (struct firefox_tables){ .frames = frames, .text.out = out,
					   .json = { .out = out, .first = true } };
	for (i = 0; i < frames->function_table.nr; i++) {
		function = frames->functions[i];
		object_of(tables, function->object);
		string_of(tables, function->name);
		string_of(tables, function->binary);
		if (*function->path)
			source_of(tables, function->path);
	}
	for (i = 0; i < frames->table.nr; i++) {
		frame = frames->list[i];
		if (frame->symbol->name)
			symbol_of(tables, frame);
	}
}

/* Write a column of @nr elements. */
void firefox_column(struct firefox_tables *tables, const char *key, size_t nr,
		    void (*put)(struct firefox_tables *tables, size_t i))
{
	size_t i;

	json_begin(&tables->json, key, '[');
	for (i = 0; i < nr; i++) {
		if (i)
			text_char(&tables->text, ',');
		put(tables, i);
	}
	text_flush(&tables->text);
	json_end(&tables->json, ']');
}

static void put_number(struct firefox_tables *tables, u64 value)
{
	text_number(&tables->text, value, 0, ' ');
}

static void put_or_null(struct firefox_tables *tables, u64 value)
{
	if (value)
		put_number(tables, value);
	else
		text_put(&tables->text, "null");
}

static void put_null(struct firefox_tables *tables, size_t i)
{
	(void)i;
	text_put(&tables->text, "null");
}

static void put_false(struct firefox_tables *tables, size_t i)
{
	(void)i;
	text_put(&tables->text, "false");
}

static void put_zero(struct firefox_tables *tables, size_t i)
{
	(void)i;
	text_char(&tables->text, '0');
}

static void put_one(struct firefox_tables *tables, size_t i)
{
	(void)i;
	text_char(&tables->text, '1');
}

static void put_index(struct firefox_tables *tables, size_t i)
{
	put_number(tables, i);
}

static void put_stack_frame(struct firefox_tables *tables, size_t i)
{
	put_number(tables, tables->frames->nodes[i + 1].frame);
}

/* How many rows the caller's stack is before this one, 0 if there is no caller. */
static void put_prefix_offset(struct firefox_tables *tables, size_t i)
{
	u32 parent = tables->frames->nodes[i + 1].parent;

	put_number(tables, parent ? i + 1 - parent : 0);
}

static void write_stacks(struct firefox_tables *tables)
{
	size_t nr = tables->frames->nr_nodes ? tables->frames->nr_nodes - 1 : 0;

	json_begin(&tables->json, "stackTable", '{');
	json_u64(&tables->json, "length", nr);
	firefox_column(tables, "frame", nr, put_stack_frame);
	firefox_column(tables, "prefixOffset", nr, put_prefix_offset);
	json_end(&tables->json, '}');
}

static void put_address(struct firefox_tables *tables, size_t i)
{
	const struct frame *frame = tables->frames->list[i];
	u64 addr = frame->addr;

	if (addr >= KERNEL_START)
		addr -= KERNEL_START;
	if (addr >> PACKED_ADDR_BITS)
		text_put(&tables->text, "-1");
	else
		put_number(tables, addr);
}

static void put_depth(struct firefox_tables *tables, size_t i)
{
	put_number(tables, tables->frames->list[i]->depth);
}

static void put_category(struct firefox_tables *tables, size_t i)
{
	put_number(tables, frame_kind(tables->frames->list[i]));
}

static void put_frame_function(struct firefox_tables *tables, size_t i)
{
	put_number(tables, tables->frames->list[i]->function->number);
}

static void put_frame_symbol(struct firefox_tables *tables, size_t i)
{
	const struct frame *frame = tables->frames->list[i];

	if (frame->symbol->name)
		put_number(tables, symbol_of(tables, frame));
	else
		put_null(tables, i);
}

static void put_frame_line(struct firefox_tables *tables, size_t i)
{
	put_or_null(tables, tables->frames->list[i]->line);
}

static void write_frames(struct firefox_tables *tables)
{
	size_t nr = tables->frames->table.nr;

	json_begin(&tables->json, "frameTable", '{');
	json_u64(&tables->json, "length", nr);
	firefox_column(tables, "address", nr, put_address);
	firefox_column(tables, "inlineDepth", nr, put_depth);
	firefox_column(tables, "category", nr, put_category);
	firefox_column(tables, "subcategory", nr, put_zero);
	firefox_column(tables, "func", nr, put_frame_function);
	firefox_column(tables, "nativeSymbol", nr, put_frame_symbol);
	firefox_column(tables, "innerWindowID", nr, put_zero);
	firefox_column(tables, "line", nr, put_frame_line);
	firefox_column(tables, "column", nr, put_null);
	firefox_column(tables, "originalLocation", nr, put_null);
	json_end(&tables->json, '}');
}

static void put_function_name(struct firefox_tables *tables, size_t i)
{
	put_number(tables, string_of(tables, tables->frames->functions[i]->name));
}

static void put_function_resource(struct firefox_tables *tables, size_t i)
{
	put_number(tables, object_of(tables, tables->frames->functions[i]->object));
}

static void put_function_source(struct firefox_tables *tables, size_t i)
{
	const char *path = tables->frames->functions[i]->path;

	if (*path)
		put_number(tables, source_of(tables, path));
	else
		put_null(tables, i);
}

static void put_function_line(struct firefox_tables *tables, size_t i)
{
	put_or_null(tables, tables->frames->functions[i]->line);
}

static void write_functions(struct firefox_tables *tables)
{
	size_t nr = tables->frames->function_table.nr;

	json_begin(&tables->json, "funcTable", '{');
	json_u64(&tables->json, "length", nr);
	firefox_column(tables, "name", nr, put_function_name);
	firefox_column(tables, "isJS", nr, put_false);
	firefox_column(tables, "relevantForJS", nr, put_false);
	firefox_column(tables, "resource", nr, put_function_resource);
	firefox_column(tables, "source", nr, put_function_source);
	firefox_column(tables, "lineNumber", nr, put_function_line);
	firefox_column(tables, "columnNumber", nr, put_null);
	firefox_column(tables, "originalLocation", nr, put_null);
	json_end(&tables->json, '}');
}

static const struct object *object_at(const struct firefox_tables *tables, size_t i)
{
	return tables->objects.rows[i];
}

static void put_resource_name(struct firefox_tables *tables, size_t i)
{
	put_number(tables, firefox_string(tables, object_at(tables, i)->short_name));
}

/* The resource of a binary has the same index as the binary in "libs". */
static void write_resources(struct firefox_tables *tables)
{
	size_t nr = tables->objects.table.nr;

	json_begin(&tables->json, "resourceTable", '{');
	json_u64(&tables->json, "length", nr);
	firefox_column(tables, "lib", nr, put_index);
	firefox_column(tables, "name", nr, put_resource_name);
	firefox_column(tables, "host", nr, put_null);
	firefox_column(tables, "type", nr, put_one);
	json_end(&tables->json, '}');
}

static const struct frame *symbol_at(const struct firefox_tables *tables, size_t i)
{
	return tables->symbols.rows[i];
}

static void put_symbol_lib(struct firefox_tables *tables, size_t i)
{
	put_number(tables, object_of(tables, symbol_at(tables, i)->object));
}

static void put_symbol_address(struct firefox_tables *tables, size_t i)
{
	u64 start = symbol_at(tables, i)->symbol->start;

	put_number(tables, (start >= KERNEL_START ? start - KERNEL_START : start) &
				   ((1ULL << PACKED_ADDR_BITS) - 1));
}

static void put_symbol_name(struct firefox_tables *tables, size_t i)
{
	put_number(tables, string_of(tables, symbol_at(tables, i)->function->name));
}

static void put_symbol_size(struct firefox_tables *tables, size_t i)
{
	const struct symbol *symbol = symbol_at(tables, i)->symbol;

	put_or_null(tables, symbol->end > symbol->start ? symbol->end - symbol->start : 0);
}

static void write_symbols(struct firefox_tables *tables)
{
	size_t nr = tables->symbols.table.nr;

	json_begin(&tables->json, "nativeSymbols", '{');
	json_u64(&tables->json, "length", nr);
	firefox_column(tables, "libIndex", nr, put_symbol_lib);
	firefox_column(tables, "address", nr, put_symbol_address);
	firefox_column(tables, "name", nr, put_symbol_name);
	firefox_column(tables, "functionSize", nr, put_symbol_size);
	json_end(&tables->json, '}');
}

static void put_source_name(struct firefox_tables *tables, size_t i)
{
	put_number(tables, string_of(tables, tables->sources.rows[i]));
}

static void write_sources(struct firefox_tables *tables)
{
	size_t nr = tables->sources.table.nr;

	json_begin(&tables->json, "sources", '{');
	json_u64(&tables->json, "length", nr);
	firefox_column(tables, "id", nr, put_null);
	firefox_column(tables, "filename", nr, put_source_name);
	firefox_column(tables, "startLine", nr, put_one);
	firefox_column(tables, "startColumn", nr, put_one);
	firefox_column(tables, "sourceMapURL", nr, put_null);
	firefox_column(tables, "content", nr, put_null);
	json_end(&tables->json, '}');
}

/* Original locations are of compiled JavaScript, which has none here. */
static void write_no_locations(struct firefox_tables *tables)
{
	json_begin(&tables->json, "sourceLocationTable", '{');
	json_u64(&tables->json, "length", 0);
	firefox_column(tables, "source", 0, put_null);
	firefox_column(tables, "line", 0, put_null);
	firefox_column(tables, "column", 0, put_null);
	json_end(&tables->json, '}');
}

static void write_strings(struct firefox_tables *tables)
{
	size_t i;

	json_begin(&tables->json, "stringArray", '[');
	for (i = 0; i < tables->strings.table.nr; i++)
		json_string(&tables->json, NULL, tables->strings.rows[i]);
	json_end(&tables->json, ']');
}

/* Write all tables but the libs. The strings are the last, as others add strings. */
void firefox_tables_shared(struct firefox_tables *tables)
{
	json_begin(&tables->json, "shared", '{');
	write_stacks(tables);
	write_frames(tables);
	write_functions(tables);
	write_resources(tables);
	write_symbols(tables);
	write_sources(tables);
	write_no_locations(tables);
	write_strings(tables);
	json_end(&tables->json, '}');
}

static void free_index(struct index_of *index)
{
	hash_table_free(&index->table, NULL);
	free(index->rows);
}

void firefox_tables_free(struct firefox_tables *tables)
{
	free_index(&tables->strings);
	free_index(&tables->objects);
	free_index(&tables->sources);
	free_index(&tables->symbols);
	interned_free(&tables->names);
}
