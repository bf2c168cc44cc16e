/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - one binary of a recording
 *
 * A binary is its name and its build-id; one that was replaced while it was
 * recorded is two.
 */
#ifndef TPROF_OBJECT_H
#define TPROF_OBJECT_H

#include "base/hash_table.h"
#include "perfdata/perfdata.h"
#include "symbols/jit_loads.h"
#include "symbols/kernel_symbols.h"
#include "symbols/symbol_file.h"
#include "symbols/symtab.h"

/* The numbers are in recordings (embedded.c). */
enum object_kind {
	OBJECT_FILE,
	OBJECT_VDSO,
	OBJECT_KERNEL,
	OBJECT_MODULE,
	OBJECT_JIT,
	OBJECT_JIT_DUMP,
	OBJECT_MADE,	/* a function that the kernel made, such as a program of BPF */
	OBJECT_NOTHING,	/* what no record says to be mapped */
};

/* What the records call the kernel. */
#define OBJECT_KERNEL_NAME	"[kernel.kallsyms]"

/**
 * struct object - a binary
 * @name:	as the records name it
 * @short_name:	as people know it
 * @build_id:	of size 0 when it is not known
 * @kind:	of binary
 * @pid:	whose code it is, of OBJECT_JIT; else who had it mapped first
 * @loaded:	its symbols were looked for
 * @why:	why it has none, or SYMBOL_FOUND
 * @embedded:	they are from the recording itself
 * @symtab:	its functions
 * @ino:	of OBJECT_JIT_DUMP: of the file, 0 when it is not known
 * @loads:	likewise: where they were when
 * @file:	the files that they are from
 * @names:	those that are in no file
 * @places:	addresses that are in none of them
 * @described:	what DWARF says of addresses that were asked about
 * @inlined:	functions that were inlined
 */
struct object {
	const char *name;
	const char *short_name;
	struct build_id build_id;
	enum object_kind kind;
	u32	pid;
	bool	loaded;
	bool	embedded;
	enum symbol_status why;
	struct symtab symtab;
	u64	ino;
	struct jit_loads loads;
	struct symbol_file file;
	struct interned names;
	struct hash_table places;
	struct hash_table described;
	struct hash_table inlined;
};

/**
 * struct object_key - what makes a binary that binary
 * @name:	as the records name it
 * @build_id:	NULL or of size 0 when they do not say
 * @kind:	of binary
 * @pid:	the process; binaries of OBJECT_JIT are told apart by it
 */
struct object_key {
	const char *name;
	const struct build_id *build_id;
	enum object_kind kind;
	u32	pid;
};

/* What the records tell of it; valid as long as it is. */
static inline struct object_key object_key(const struct object *object)
{
	return (struct object_key){ object->name, &object->build_id, object->kind, object->pid };
}

/* Its symbols are in the table of the kernel and all modules, unless embedded. */
static inline bool object_is_kernels(const struct object *object)
{
	return object->kind == OBJECT_KERNEL || object->kind == OBJECT_MODULE;
}

u64 object_key_hash(const struct object_key *key);
bool object_key_is(const struct object_key *key, const struct object_key *other);
const struct symtab *object_symtab(const struct object *object,
				   const struct kernel_symbols *kernel);
bool object_has_symbol(const struct object *object, const struct symbol *symbol);
void object_make_plain(struct object *object, struct symbol *symbol,
		       const struct symbol_options *options);
enum symbol_status object_status(const struct object *object, const struct symbol *symbol);

#endif /* TPROF_OBJECT_H */
