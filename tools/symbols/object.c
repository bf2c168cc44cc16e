// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - one binary of a recording
 */
#include <stdlib.h>
#include <string.h>

#include "symbols/demangle.h"
#include "symbols/object.h"

/*
 * The hash of what makes a binary that binary. Of one name there may be any
 * number of builds, and of processes.
 *
 * @key: see there; with a build-id, be it an empty one
 */
u64 object_key_hash(const struct object_key *key)
{
	u32 numbers[] = { key->kind, key->kind == OBJECT_JIT ? key->pid : 0 };
	u64 hash = hash_bytes(hash_text(key->name), numbers, sizeof(numbers));

	return hash_bytes(hash, key->build_id, sizeof(*key->build_id));
}

/* Do two keys mean one binary? */
bool object_key_is(const struct object_key *key, const struct object_key *other)
{
	return key->kind == other->kind &&
	       (key->kind != OBJECT_JIT || key->pid == other->pid) &&
	       !memcmp(key->build_id, other->build_id, sizeof(*key->build_id)) &&
	       !strcmp(key->name, other->name);
}

/*
 * The table that a binary's symbols are in.
 *
 * @object: the binary, whose symbols were loaded
 * @kernel: the table of the kernel and all modules
 *
 * Return its own table, or that of the kernel and all modules.
 */
const struct symtab *object_symtab(const struct object *object,
				   const struct kernel_symbols *kernel)
{
	return object_is_kernels(object) && !object->embedded ? &kernel->symtab : &object->symtab;
}

/*
 * Is a symbol of its table the binary's? A module that was unloaded since has
 * left its addresses to others. What the kernel itself calls a module of its own
 * ("__builtin__ftrace") is the kernel's.
 */
bool object_has_symbol(const struct object *object, const struct symbol *symbol)
{
	const char *module = symbol->module;

	if (object->embedded)
		return true;
	if (object->kind == OBJECT_MODULE)
		return module && !strcmp(module, object->short_name);
	return !module || begins_with(module, "[__builtin__") || !strcmp(module, "[bpf]");
}

/*
 * Make a name of C++ or Rust one that people read.
 *
 * @symbol: its function, for whose name that is done when it is first seen
 */
void object_make_plain(struct object *object, struct symbol *symbol,
		       const struct symbol_options *options)
{
	const char *name;
	char *plain = NULL;

	if (symbol->plain)
		return;
	symbol->plain = true;
	if (!options->no_demangle && symbol->name[0] == '_')
		plain = demangle(symbol->name);
	name = plain ? interned_get(&object->names, plain) : NULL;
	if (name)
		symbol->name = name;
	free(plain);
}

/* Has an address a symbol, and if not, why? */
enum symbol_status object_status(const struct object *object, const struct symbol *symbol)
{
	if (symbol->name)
		return SYMBOL_FOUND;
	return object->why == SYMBOL_FOUND ? SYMBOL_NO_FUNCTION : object->why;
}
