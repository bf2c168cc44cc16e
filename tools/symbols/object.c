// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the identity and the symbols of a binary
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/demangle.h"
#include "symbols/object.h"

/*
 * Hash all members of @key that object_key_is() compares: binaries with the same name
 * can differ in any other member. @key->build_id must not be NULL.
 */
u64 object_key_hash(const struct object_key *key)
{
	u32 numbers[] = { key->kind, key->kind == OBJECT_JIT ? key->pid : 0 };
	u64 hash = hash_bytes(hash_text(key->name), numbers, sizeof(numbers));

	return hash_bytes(hash, key->build_id, sizeof(*key->build_id));
}

/* Return true if both keys identify the same binary. */
bool object_key_is(const struct object_key *key, const struct object_key *other)
{
	return key->kind == other->kind &&
	       (key->kind != OBJECT_JIT || key->pid == other->pid) &&
	       !memcmp(key->build_id, other->build_id, sizeof(*key->build_id)) &&
	       !strcmp(key->name, other->name);
}

/*
 * Return the table with a binary's symbols: its own table, or the common one of the
 * kernel and all modules. @object must be loaded.
 */
const struct symtab *object_symtab(const struct object *object,
				   const struct kernel_symbols *kernel)
{
	return object_is_kernels(object) && !object->embedded ? &kernel->symtab : &object->symtab;
}

/*
 * Return true if @symbol, which was found in object_symtab(), belongs to @object. It may
 * belong to another binary: if a recorded module was unloaded, another module may be at
 * its addresses now. Pseudo modules in kallsyms ("[__builtin__ftrace]", "[bpf]") belong
 * to the kernel.
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

/* Return the name "BINARY+0xSTART" of a function, or NULL. The start is a link-time address. */
static char *name_by_start(struct object *object, const struct symbol *symbol)
{
	u64 start = symbol->start;
	char *name;

	symbol_file_linked(&object->file, symbol->start, &start);
	return asprintf(&name, "%s+0x%llx", object->short_name, start) < 0 ? NULL : name;
}

/* Make or demangle the name of @symbol, unless this was called before. */
void object_make_plain(struct object *object, struct symbol *symbol,
		       const struct symbol_options *options)
{
	const char *name;
	char *plain = NULL;

	if (symbol->plain)
		return;
	symbol->plain = true;
	if (symbol->nameless)
		plain = name_by_start(object, symbol);
	else if (!options->no_demangle && symbol->name[0] == '_')
		plain = demangle(symbol->name);
	name = plain ? interned_get(&object->names, plain) : NULL;
	if (name)
		symbol->name = name;
	free(plain);
}

/* Return SYMBOL_FOUND, or the reason why @symbol has no name. */
enum symbol_status object_status(const struct object *object, const struct symbol *symbol)
{
	if (symbol->nameless)
		return SYMBOL_NAMELESS;
	if (symbol->name)
		return SYMBOL_FOUND;
	return object->why == SYMBOL_FOUND ? SYMBOL_NO_FUNCTION : object->why;
}
