/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - look up unwind rules, source lines and inlined functions in DWARF
 *
 * Results are cached by address: samples come from few different addresses.
 */
#ifndef TPROF_OBJECT_DWARF_H
#define TPROF_OBJECT_DWARF_H

#include "symbols/object.h"
#include "symbols/symbol_sources.h"

/**
 * struct inline_list - functions inlined at an address
 * @nr:		number of functions
 * @symbols:	the functions, innermost first
 */
struct inline_list {
	size_t	nr;
	struct symbol *symbols[];
};

Dwarf_Frame *object_rules(struct object *object, u64 addr);
const char *object_line(struct symbol_sources *sources, struct object *object, u64 addr,
			const struct symbol *symbol);
const struct inline_list *object_inlines(struct symbol_sources *sources, struct object *object,
					 u64 addr, const struct symbol *symbol);
void object_dwarf_free(struct object *object);

#endif /* TPROF_OBJECT_DWARF_H */
