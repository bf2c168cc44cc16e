/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - find functions by address
 *
 * Symbols are added in any order. After that, symtab_finish() sorts them and keeps one
 * symbol for each start address: the one that perf would choose. symtab_find() needs the
 * result of symtab_finish().
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
 * @reach:	maximum of @end over this and all preceding functions
 * @module:	kernel module, or NULL
 * @name:	name; NULL for an address outside all functions
 * @nr:		position in the order of the symtab_add() calls
 * @binding:	enum symbol_binding
 * @plain:	object_make_plain() was called: the function was looked up, and @name is
 *		demangled
 * @inlined:	the function is inlined into another one
 * @nameless:	the file has its addresses only; object_make_plain() names it by its start
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
	bool	nameless;
};

/**
 * struct symtab - functions sorted by address; empty if all members are zero
 * @symbols:	the functions
 * @starts:	dense array of their start addresses, for the search
 * @index:	for each step of addresses, index of the last function that begins at
 *		or below the first address of the step; with it, a search stays in one step
 * @nr_steps:	number of steps
 * @shift:	each step is 1 << @shift bytes long; the first begins at the first start
 *		address
 * @nr:		number of @symbols
 * @room:	capacity of @symbols
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

/* What symtab_find() reads, in this order. */
enum symtab_step {
	SYMTAB_INDEX,
	SYMTAB_STARTS,
	SYMTAB_SYMBOL,
	SYMTAB_NR_STEPS,
};

int symtab_add(struct symtab *symtab, const struct symbol *symbol);
int symtab_finish(struct symtab *symtab);
struct symbol *symtab_find(const struct symtab *symtab, u64 addr);
void symtab_expect(const struct symtab *symtab, u64 addr, enum symtab_step step);
void symtab_free(struct symtab *symtab);

#endif /* TPROF_SYMTAB_H */
