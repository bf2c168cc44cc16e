// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx merge - the symbols in the recordings
 *
 * A binary has the functions of all recordings in the output.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "merge/merge_symbols.h"
#include "symbols/objects.h"

/**
 * struct collected - the symbols of the output
 * @merge:	the output
 * @source:	the recording that is being read
 * @objects:	binaries of the output
 * @object:	the binary that is being read
 * @is_kernel:	its symbols have kernel addresses
 */
struct collected {
	struct merge *merge;
	struct source *source;
	struct objects objects;
	struct object *object;
	bool	is_kernel;
};

/* Begin a binary: find it in the output by the name and process that it has there. */
static int begin_object(void *arg, const struct object_key *key)
{
	struct collected *collected = arg;
	struct merge *merge = collected->merge;
	const struct kernel_part *part = NULL;
	struct object_key own = *key;
	char path[64];

	collected->is_kernel = key->kind == OBJECT_KERNEL || key->kind == OBJECT_MODULE;
	own.pid = pids_map(&merge->pids, collected->source->number, key->pid);
	if (collected->is_kernel)
		part = kernels_find(&merge->kernels, key->name, key->build_id);
	if (part && strcmp(part->name, part->new_name)) {
		own.name = part->new_name;
		own.kind = OBJECT_MODULE;
	}
	if (key->kind == OBJECT_JIT) {
		snprintf(path, sizeof(path), "/tmp/perf-%u.map", own.pid);
		own.name = path;
	}
	collected->object = objects_get(&collected->objects, &own);
	if (!collected->object)
		return -ENOMEM;
	collected->object->loaded = true;
	collected->object->embedded = true;
	collected->object->why = SYMBOL_FOUND;
	return 0;
}

static int add_symbol(void *arg, const struct symbol *symbol)
{
	struct collected *collected = arg;
	struct symbol own = *symbol;
	u64 len = symbol->end - symbol->start;

	if (collected->is_kernel) {
		own.start = kernels_address(&collected->merge->kernels,
					    &collected->source->kernel, symbol->start);
		own.end = own.start + len;
	}
	own.plain = true;
	return symtab_add(&collected->object->symtab, &own);
}

static int add_load(void *arg, const struct jit_load *load)
{
	struct collected *collected = arg;
	struct jit_load own = *load;

	own.time += collected->source->shift;
	return jit_loads_add(&collected->object->loads, &own);
}

static const struct embedded_visitor visitor = { begin_object, add_symbol, add_load };

static int collect(struct collected *collected, const struct feature_set *features)
{
	struct embedded embedded = { 0 };
	int err = embedded_read(&embedded, features);

	if (!err)
		err = embedded_visit(&embedded, &visitor, collected);
	embedded_free(&embedded);
	return err;
}

static int finish(const struct objects *objects)
{
	struct object *object;
	size_t at = 0;
	int err = 0;

	while (!err && (object = hash_table_next(&objects->table, &at))) {
		jit_loads_sort(&object->loads);
		err = symtab_finish(&object->symtab);
	}
	return err;
}

/*
 * Add the symbols of all recordings to @section. Call this after all records. Return 0 or
 * -errno; -EFBIG if there are more than a reader reads.
 */
int merge_symbols(struct merge *merge, struct bytes *section)
{
	const struct symbol_options options = { .no_demangle = true, .no_debuginfod = true };
	struct collected collected = { .merge = merge };
	int err = 0;
	u32 i;

	objects_init(&collected.objects, &options);
	for (i = 0; i < merge->nr_sources && !err; i++) {
		collected.source = &merge->sources[i];
		err = collect(&collected, &collected.source->reader.features);
	}
	if (!err)
		err = finish(&collected.objects);
	if (!err)
		objects_embed(&collected.objects, section);
	objects_free(&collected.objects);
	if (!err)
		err = bytes_err(section);
	return !err && section->len > PERFDATA_FEATURE_MAX ? -EFBIG : err;
}
