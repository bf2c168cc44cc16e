// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - read and write symbols in the recording itself
 *
 * The section PERFDATA_TPROF_SYMBOLS has a u32 version, then for each binary:
 *   u32 kind, u32 pid
 *   u32 size of the build-id, u8 build-id[BUILD_ID_MAX]
 *   name
 *   u32 number of functions, then for each function: u64 start, u64 end, name
 *   u32 number of loads, then each load (struct jit_load)
 *
 * Start and end are addresses of the same kind as @addr of struct spot. A name is
 * stored as in other features: a u32 length, then that many bytes. The last byte is
 * zero.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "perfdata/feature_cursor.h"
#include "symbols/embedded.h"

/* Sections of the first format have no version, and begin with a number below VERSION. */
#define VERSION		0x101

/**
 * struct embedded_object - a binary with symbols in the recording
 * @key:	the binary
 * @build_id:	build-id of @key
 * @nr:		number of functions
 * @symbols:	position of the first function in the section
 */
struct embedded_object {
	struct object_key key;
	struct build_id build_id;
	u32	nr;
	struct feature_cursor symbols;
};

static bool read_symbol(struct feature_cursor *cursor, struct symbol *symbol)
{
	*symbol = (struct symbol){ .binding = SYMBOL_GLOBAL };
	if (!feature_u64(cursor, &symbol->start) || !feature_u64(cursor, &symbol->end))
		return false;
	symbol->name = feature_string(cursor);
	return symbol->name && *symbol->name && symbol->end > symbol->start;
}

static bool read_object(struct feature_cursor *cursor, struct embedded_object *object)
{
	u32 kind, pid, size;
	const char *name;
	const u8 *id;

	if (!feature_u32(cursor, &kind) || !feature_u32(cursor, &pid) ||
	    !feature_u32(cursor, &size) || size > BUILD_ID_MAX)
		return false;
	id = feature_take(cursor, BUILD_ID_MAX);
	name = feature_string(cursor);
	if (!id || !name || !feature_u32(cursor, &object->nr))
		return false;
	object->build_id = (struct build_id){ .size = size };
	memcpy(object->build_id.data, id, size);
	object->key = (struct object_key){ name, &object->build_id, kind, pid };
	object->symbols = *cursor;
	return true;
}

static bool read_load(struct feature_cursor *cursor, struct jit_load *load)
{
	return feature_u64(cursor, &load->time) && feature_u64(cursor, &load->start) &&
	       feature_u64(cursor, &load->len) && feature_u64(cursor, &load->offset);
}

static bool skip_rest(struct feature_cursor *cursor, u32 nr)
{
	struct symbol symbol;
	struct jit_load load;

	while (nr--) {
		if (!read_symbol(cursor, &symbol))
			return false;
	}
	if (!feature_u32(cursor, &nr))
		return false;
	while (nr--) {
		if (!read_load(cursor, &load))
			return false;
	}
	return true;
}

static bool is_it(const void *entry, const void *wanted)
{
	return object_key_is(&((const struct embedded_object *)entry)->key, wanted);
}

/*
 * Add @object. If @embedded already has an entry with its key, free @object instead:
 * many entries with one hash would make lookups slow. On success, the caller no
 * longer owns @object.
 */
static int add_once(struct embedded *embedded, struct embedded_object *object)
{
	u64 hash = object_key_hash(&object->key);

	if (!hash_table_find(&embedded->table, hash, is_it, &object->key))
		return hash_table_add(&embedded->table, hash, object);
	free(object);
	return 0;
}

/*
 * For each binary with symbols in the recording, add an entry to @embedded. Read a
 * malformed section up to the first error. Call embedded_free() even if this fails.
 * @features must outlive @embedded.
 */
int embedded_read(struct embedded *embedded, const struct feature_set *features)
{
	struct feature_cursor cursor = feature_begin(features, PERFDATA_TPROF_SYMBOLS);
	struct embedded_object *object;
	u32 version;

	if (!feature_u32(&cursor, &version) || version != VERSION)
		return 0;
	object = calloc(1, sizeof(*object));
	while (object && read_object(&cursor, object) && skip_rest(&cursor, object->nr)) {
		if (add_once(embedded, object)) {
			free(object);
			return -ENOMEM;
		}
		object = calloc(1, sizeof(*object));
	}
	if (!object)
		return -ENOMEM;
	free(object);
	return 0;
}

static int apply_loads(struct jit_loads *loads, struct feature_cursor *cursor)
{
	struct jit_load load;
	u32 nr;

	jit_loads_free(loads);
	if (!feature_u32(cursor, &nr))
		return 0;
	while (nr-- && read_load(cursor, &load)) {
		if (jit_loads_add(loads, &load))
			return -ENOMEM;
	}
	return 0;
}

/*
 * If the recording has an entry for @object, replace the symbols of @object by those in
 * the recording, and return 1. Else return 0. If memory runs out, return -ENOMEM.
 */
int embedded_apply(const struct embedded *embedded, struct object *object)
{
	struct object_key key = object_key(object);
	struct embedded_object *found;
	struct feature_cursor cursor;
	struct symbol symbol;
	u32 i;

	found = hash_table_find(&embedded->table, object_key_hash(&key), is_it, &key);
	if (!found)
		return 0;
	symtab_free(&object->symtab);
	cursor = found->symbols;
	for (i = 0; i < found->nr && read_symbol(&cursor, &symbol); i++) {
		if (symtab_add(&object->symtab, &symbol))
			return -ENOMEM;
	}
	object->why = SYMBOL_FOUND;
	if (symtab_finish(&object->symtab) || apply_loads(&object->loads, &cursor))
		return -ENOMEM;
	return 1;
}

static int visit_object(const struct embedded_object *object,
			const struct embedded_visitor *visitor, void *arg)
{
	struct feature_cursor cursor = object->symbols;
	int err = visitor->object(arg, &object->key);
	struct symbol symbol;
	struct jit_load load;
	u32 i, nr = 0;

	for (i = 0; i < object->nr && !err && read_symbol(&cursor, &symbol); i++)
		err = visitor->symbol(arg, &symbol);
	if (!err)
		feature_u32(&cursor, &nr);
	for (i = 0; i < nr && !err && read_load(&cursor, &load); i++)
		err = visitor->load(arg, &load);
	return err;
}

/* Visit all symbols. Return 0, or the first error of @visitor. */
int embedded_visit(const struct embedded *embedded, const struct embedded_visitor *visitor,
		   void *arg)
{
	const struct embedded_object *object;
	size_t at = 0;
	int err = 0;

	while (!err && (object = hash_table_next(&embedded->table, &at)))
		err = visit_object(object, visitor, arg);
	return err;
}

void embedded_free(struct embedded *embedded)
{
	hash_table_free(&embedded->table, free);
}

static void add_text(struct bytes *out, const char *text)
{
	size_t len = strlen(text) + 1;

	bytes_add_u32(out, len);
	bytes_add(out, text, len);
}

/* Write the functions of @object that were looked up. Return their number. */
static u32 add_symbols(struct bytes *out, const struct object *object,
		       const struct kernel_symbols *kernel)
{
	const struct symtab *symtab = object_symtab(object, kernel);
	const struct symbol *symbol;
	size_t i;
	u32 nr = 0;

	for (i = 0; i < symtab->nr; i++) {
		symbol = &symtab->symbols[i];
		if (!symbol->plain || !object_has_symbol(object, symbol))
			continue;
		bytes_add_u64(out, symbol->start);
		bytes_add_u64(out, symbol->end);
		add_text(out, symbol->name);
		nr++;
	}
	return nr;
}

/* Write the loads of the functions that add_symbols() writes. Return their number. */
static u32 add_loads(struct bytes *out, const struct object *object)
{
	const struct jit_load *load;
	const struct symbol *symbol;
	size_t i;
	u32 nr = 0;

	for (i = 0; i < object->loads.nr; i++) {
		load = &object->loads.list[i];
		symbol = symtab_find(&object->symtab, load->offset);
		if (!symbol || !symbol->plain)
			continue;
		bytes_add(out, load, sizeof(*load));
		nr++;
	}
	return nr;
}

/* Reserve space for a count that is known only after the counted items were written. */
static size_t begin_count(struct bytes *out)
{
	bytes_add_u32(out, 0);
	return out->len;
}

static void end_count(struct bytes *out, size_t begun, u32 nr)
{
	if (!bytes_err(out))
		memcpy(out->data + begun - sizeof(nr), &nr, sizeof(nr));
}

static void add_object(struct bytes *out, const struct object *object,
		       const struct kernel_symbols *kernel)
{
	u8 id[BUILD_ID_MAX] = { 0 };
	size_t begun;

	memcpy(id, object->build_id.data, object->build_id.size);
	bytes_add_u32(out, object->kind);
	bytes_add_u32(out, object->pid);
	bytes_add_u32(out, object->build_id.size);
	bytes_add(out, id, sizeof(id));
	add_text(out, object->name);
	begun = begin_count(out);
	end_count(out, begun, add_symbols(out, object, kernel));
	begun = begin_count(out);
	end_count(out, begun, add_loads(out, object));
}

/* Write the section. Call this after the addresses of all samples were looked up. */
void embedded_write(const struct hash_table *objects, const struct kernel_symbols *kernel,
		    struct bytes *out)
{
	const struct object *object;
	size_t at = 0;

	bytes_add_u32(out, VERSION);
	while ((object = hash_table_next(objects, &at))) {
		if (object->loaded && object->why == SYMBOL_FOUND)
			add_object(out, object, kernel);
	}
}
