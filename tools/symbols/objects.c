// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the binaries of a recording, and the functions at their addresses
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/module_name.h"
#include "perfdata/buildid.h"
#include "symbols/object_dwarf.h"
#include "symbols/object_load.h"
#include "symbols/objects.h"

/**
 * struct known_id - an entry of the recording's table of build-ids
 * @name:	name of the binary
 * @id:		its build-id
 */
struct known_id {
	char	*name;
	struct build_id id;
};

/*
 * Raise the soft limit of open files to the hard limit, because each binary keeps its
 * file open and the default soft limit is only 1024.
 */
void objects_allow_many_files(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

void objects_init(struct objects *objects, const struct symbol_options *options)
{
	const struct object nothing = {
		.name = "[unknown]", .short_name = "[unknown]", .kind = OBJECT_NOTHING,
		.loaded = true, .why = SYMBOL_NO_MAPPING,
	};

	/* libdwfl has no other way to disable debuginfod. */
	if (options->no_debuginfod)
		unsetenv("DEBUGINFOD_URLS");
	*objects = (struct objects){ .sources.options = *options, .nothing = nothing,
				     .nothing_kernel = nothing };
	objects->nothing_kernel.number = 1;
	objects->nr = 2;
}

static bool is_known_id(const void *entry, const void *name)
{
	return !strcmp(((const struct known_id *)entry)->name, name);
}

static void free_known_id(void *entry)
{
	struct known_id *known = entry;

	free(known->name);
	free(known);
}

/*
 * Return true if this entry is for the kernel. perf may name the kernel by the path of
 * the file from which it read the kernel's symbols.
 */
static bool is_kernel(const struct perfdata_build_id *entry, const char *name)
{
	if ((entry->header.misc & PERF_RECORD_MISC_CPUMODE_MASK) != PERF_RECORD_MISC_KERNEL)
		return false;
	return !strncmp(name, "[kernel.", strlen("[kernel.")) || strstr(name, "vmlinux") ||
	       !strcmp(name, "/proc/kcore");
}

/* perf writes an unknown build-id as zeroes. */
static bool has_id(const struct perfdata_build_id *entry)
{
	static const u8 zeroes[BUILD_ID_MAX];

	return memcmp(entry->build_id, zeroes, sizeof(zeroes));
}

static int know_id(void *arg, const struct perfdata_build_id *entry, const char *name)
{
	struct objects *objects = arg;
	struct known_id *known;
	u64 hash;

	if (!has_id(entry))
		return 0;
	if (is_kernel(entry, name))
		name = OBJECT_KERNEL_NAME;
	hash = hash_text(name);
	if (hash_table_find(&objects->known_ids, hash, is_known_id, name))
		return 0;
	known = calloc(1, sizeof(*known));
	if (!known)
		return -ENOMEM;
	known->name = strdup(name);
	known->id = build_id_in_entry(entry);
	if (known->name && !hash_table_add(&objects->known_ids, hash, known))
		return 0;
	free_known_id(known);
	return -ENOMEM;
}

/*
 * Read the recording's table of build-ids up to the first error. objects_get() uses
 * the table for binaries that it creates later.
 */
int objects_know_ids(struct objects *objects, const void *section, size_t len)
{
	return build_id_each(section, len, know_id, objects);
}

static bool is_object(const void *entry, const void *wanted)
{
	struct object_key key = object_key(entry);

	return object_key_is(&key, wanted);
}

static const char *short_name(struct interned *names, const struct object_key *key)
{
	const char *base = strrchr(key->name, '/');
	char name[64], text[80];

	switch (key->kind) {
	case OBJECT_KERNEL:
		return OBJECT_KERNEL_NAME;
	case OBJECT_MODULE:
		if (key->name[0] == '[')
			return interned_get(names, key->name);
		module_name(key->name, name, sizeof(name));
		snprintf(text, sizeof(text), "[%s]", name);
		return interned_get(names, text);
	case OBJECT_JIT:
	case OBJECT_JIT_DUMP:
		snprintf(text, sizeof(text), "[JIT] tid %u", key->pid);
		return interned_get(names, text);
	default:
		return interned_get(names, base && base[1] ? base + 1 : key->name);
	}
}

static struct object *new_object(struct objects *objects, const struct object_key *key)
{
	struct object *object = calloc(1, sizeof(*object));

	if (!object)
		return NULL;
	object->name = interned_get(&objects->sources.names, key->name);
	object->short_name = short_name(&objects->sources.names, key);
	object->build_id = *key->build_id;
	object->kind = key->kind;
	object->pid = key->pid;
	object->number = objects->nr++;
	if (object->name && object->short_name &&
	    !hash_table_add(&objects->table, object_key_hash(key), object))
		return object;
	free(object);
	return NULL;
}

/* Find or create the binary with @key. Return NULL if out of memory. */
struct object *objects_get(struct objects *objects, const struct object_key *key)
{
	static const struct build_id none;
	struct object_key full = *key;
	struct object *object;
	struct known_id *known;

	if (!full.build_id || !full.build_id->size) {
		known = hash_table_find(&objects->known_ids, hash_text(key->name), is_known_id,
					key->name);
		full.build_id = known ? &known->id : &none;
	}
	object = hash_table_find(&objects->table, object_key_hash(&full), is_object, &full);
	if (object)
		return object;
	if (objects->max && objects->nr >= objects->max) {
		objects->nr_left_out++;
		return &objects->nothing;
	}
	return new_object(objects, &full);
}

/*
 * Find or create the binary of a function that the kernel generated. The binary has one
 * symbol, which covers all addresses. Return NULL if out of memory.
 */
struct object *objects_get_made(struct objects *objects, const char *name)
{
	struct object_key key = { .name = name, .kind = OBJECT_MADE };
	struct object *object = objects_get(objects, &key);
	struct symbol symbol = { .end = ~0ULL };

	if (!object || object->loaded)
		return object;
	object->loaded = true;
	symbol.name = object->name;
	if (symtab_add(&object->symtab, &symbol) || symtab_finish(&object->symtab))
		return NULL;
	object->why = SYMBOL_FOUND;
	return object;
}

static struct symbol *look_up(struct objects *objects, struct object *object, u64 addr)
{
	struct symbol *symbol = NULL;

	/* A stripped file may have functions without names. */
	if (symbol_has_code(object->why))
		symbol = symtab_find(object_symtab(object, &objects->sources.kernel), addr);
	if (symbol && !object_has_symbol(object, symbol))
		symbol = NULL;
	if (symbol)
		object_make_plain(object, symbol, &objects->sources.options);
	return symbol;
}

/*
 * Return a symbol without a name, for an address outside all functions. For the same
 * address, always return the same symbol. Return NULL if out of memory.
 */
struct symbol *object_nowhere(struct object *object, u64 addr)
{
	u64 hash = hash_number(addr);
	struct symbol *symbol;

	if (object_can_pack(object, addr))
		return &object->nowhere;
	symbol = hash_table_find(&object->places, hash, NULL, NULL);
	if (symbol)
		return symbol;
	symbol = arena_get(&object->memory, sizeof(*symbol));
	if (!symbol || hash_table_add(&object->places, hash, symbol))
		return NULL;
	symbol->start = addr;
	return symbol;
}

/*
 * Return the function at an address, or a symbol without a name if there is none. For
 * the same address, always return the same pointer. Return NULL if out of memory.
 */
struct symbol *object_resolve(struct objects *objects, struct object *object, u64 addr)
{
	struct symbol *symbol = recent_places_find(&objects->recent, object, addr);

	if (symbol)
		return symbol;
	if (recent_places_make(&objects->recent))
		return NULL;
	if (!object->loaded)
		object_load(&objects->sources, object);
	symbol = look_up(objects, object, addr);
	if (!symbol)
		symbol = object_nowhere(object, addr);
	if (symbol)
		recent_places_add(&objects->recent, object, addr, symbol);
	return symbol;
}

static bool is_owner(const struct object *object, const struct kernel_symbols *kernel,
		     const struct symbol *symbol)
{
	const struct symtab *symtab = object_symtab(object, kernel);
	uintptr_t offset = (uintptr_t)symbol - (uintptr_t)symtab->symbols;

	return offset / sizeof(*symbol) < symtab->nr && object_has_symbol(object, symbol);
}

/*
 * Return the binary of a function that object_resolve() has returned. Return NULL for another
 * symbol, as call trees have them for what is no function.
 */
const struct object *objects_owner(const struct objects *objects, const struct symbol *symbol)
{
	const struct object *object;
	size_t at = 0;

	do
		object = hash_table_next(&objects->table, &at);
	while (object && !is_owner(object, &objects->sources.kernel, symbol));
	return object;
}

/* Prefetch the memory that object_resolve() will read in @step: see symtab_expect(). */
void object_expect(const struct objects *objects, const struct object *object, u64 addr,
		   enum symtab_step step)
{
	if (symbol_has_code(object->why))
		symtab_expect(object_symtab(object, &objects->sources.kernel), addr, step);
}

/* Write to @out all functions that were looked up, as feature PERFDATA_TPROF_SYMBOLS. */
void objects_embed(const struct objects *objects, struct bytes *out)
{
	embedded_write(&objects->table, &objects->sources.kernel, out);
}

static void empty_object(struct object *object)
{
	hash_table_free(&object->places, NULL);
	arena_free(&object->memory);
	object_dwarf_free(object);
	symtab_free(&object->symtab);
	jit_loads_free(&object->loads);
	jit_lines_free(&object->lines);
	symbol_file_close(&object->file);
	interned_free(&object->names);
}

static void free_object(void *entry)
{
	empty_object(entry);
	free(entry);
}

void objects_free(struct objects *objects)
{
	recent_places_free(&objects->recent);
	empty_object(&objects->nothing);
	empty_object(&objects->nothing_kernel);
	hash_table_free(&objects->table, free_object);
	hash_table_free(&objects->known_ids, free_known_id);
	embedded_free(&objects->sources.embedded);
	kernel_symbols_free(&objects->sources.kernel);
	interned_free(&objects->sources.names);
}
