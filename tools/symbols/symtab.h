/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the functions of a binary, by address
 *
 * Symbols are added in any order and sorted once by symtab_finish(), after
 * which symtab_find() tells whose an address is. Of several names of one place
 * that one stays which perf would take.
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
 * @start:	its first address
 * @end:	behind its last one; @start until it is known
 * @reach:	the highest @end of it and of all before it
 * @module:	the kernel's module that it is of, NULL for none
 * @name:	what it is called, NULL for an address that is in no function
 * @nr:		in the order in which they were added
 * @binding:	of the symbol
 * @plain:	@name is as people read it
 * @inlined:	it is a function within another
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
 * struct symtab - functions in the order of their addresses; all zero is empty
 * @symbols:	the functions
 * @starts:	their first addresses once more, close together for the search
 * @index:	number of the last function that begins before each of some equal
 *		steps, so that little is left to search
 * @nr_steps:	how many steps
 * @shift:	length of a step, as a power of two
 * @nr:		how many
 * @room:	how many fit
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
