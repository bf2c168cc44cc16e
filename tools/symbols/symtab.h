/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - functions by address
 *
 * Symbols are added in any order. symtab_finish() sorts them and keeps, for each
 * address, the name that perf would take. symtab_find() searches after that.
 */
#ifndef TPROF_SYMTAB_H
#define TPROF_SYMTAB_H

#include "base/interned.h"
#include "base/types.h"

enum symbol_binding {
	SYMBOL_GLOBAL,
	SYMBOL_LOCAL,
	SYMBOL_WEAK,
};

/**
 * struct symbol - a function
 * @start:	first address
 * @end:	last address + 1; equal to @start while the size is unknown
 * @reach:	the highest @end of this and all preceding functions
 * @module:	kernel module, NULL for none
 * @name:	name, NULL for an address that is in no function
 * @nr:		number in the order of symtab_add()
 * @binding:	enum symbol_binding
 * @plain:	looked up: @name is demangled
 * @inlined:	the function is inlined into another
 */
struct symbol {
	u64	start;
	u64	end;
	u64	reach;
	const char *module;
	const char *name;
	u32	nr;
	u8	binding;
	bool	plain;
	bool	inlined;
};

/**
 * struct symtab - functions sorted by address; zeroed is empty
 * @symbols:	the functions
 * @starts:	a dense copy of their @start, for the search
 * @index:	for each step, the number of the last function that begins at or
 *		below it; bounds the search
 * @nr_steps:	number of steps
 * @shift:	a step is 1 << @shift bytes of addresses
 * @nr:		number of @symbols
 * @room:	allocated @symbols
 */
struct symtab {
	struct symbol *symbols;
	u64	*starts;
	u32	*index;
	u64	nr_steps;
	u32	shift;
	size_t	nr;
	size_t	room;
};

int symtab_add(struct symtab *symtab, const struct symbol *symbol);
int symtab_finish(struct symtab *symtab);
struct symbol *symtab_find(const struct symtab *symtab, u64 addr);
void symtab_free(struct symtab *symtab);

#endif /* TPROF_SYMTAB_H */
