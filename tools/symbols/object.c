// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - one binary of a recording
 */
#include <stdlib.h>
#include <string.h>

#include "symbols/demangle.h"
#include "symbols/object.h"

/**
 * object_key_hash - the hash of what makes a binary that binary
 * @key:	see there; with a build-id, be it an empty one
 *
 * Of one name there may be any number of builds, and of processes.
 *
 * Return: the hash.
 */
u64 object_key_hash(const struct object_key *key)
{
	u32 numbers[] = { key->kind, key->kind == OBJECT_JIT ? key->pid : 0 };
	u64 hash = hash_bytes(hash_text(key->name), numbers, sizeof(numbers));

	return hash_bytes(hash, key->build_id, sizeof(*key->build_id));
}

/**
 * object_key_is - do two keys mean one binary?
 * @key:	one, with a build-id
 * @other:	the other, likewise
 *
 * Return: true if they do.
 */
bool object_key_is(const struct object_key *key, const struct object_key *other)
{
	return key->kind == other->kind &&
	       (key->kind != OBJECT_JIT || key->pid == other->pid) &&
	       !memcmp(key->build_id, other->build_id, sizeof(*key->build_id)) &&
	       !strcmp(key->name, other->name);
}

/**
 * object_symtab - the table that a binary's symbols are in
 * @object:	the binary, whose symbols were loaded
 * @kernel:	the table of the kernel and all modules
 *
 * Return: its own table, or that of the kernel and all modules.
 */
const struct symtab *object_symtab(const struct object *object,
				   const struct kernel_symbols *kernel)
{
	return object_is_kernels(object) && !object->embedded ? &kernel->symtab : &object->symtab;
}

/**
 * object_has_symbol - is a symbol of its table the binary's?
 * @object:	the binary
 * @symbol:	the symbol
 *
 * A module that was unloaded since has left its addresses to others. What the
 * kernel itself calls a module of its own ("__builtin__ftrace") is the kernel's.
 *
 * Return: true if it is.
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

/**
 * object_make_plain - make a name of C++ or Rust one that people read
 * @object:	the binary
 * @symbol:	its function, for whose name that is done when it is first seen
 * @options:	whether that is wanted
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

/**
 * object_status - has an address a symbol, and if not, why?
 * @object:	the binary
 * @symbol:	what object_resolve() said
 *
 * Return: SYMBOL_FOUND or the reason.
 */
enum symbol_status object_status(const struct object *object, const struct symbol *symbol)
{
	if (symbol->name)
		return SYMBOL_FOUND;
	return object->why == SYMBOL_FOUND ? SYMBOL_NO_FUNCTION : object->why;
}
