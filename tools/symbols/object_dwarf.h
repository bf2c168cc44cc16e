/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - look up unwind rules, source lines and inlined functions in DWARF
 *
 * Results are cached by address: samples come from few different addresses.
 */
#ifndef TPROF_OBJECT_DWARF_H
#define TPROF_OBJECT_DWARF_H

#include "symbols/object.h"
#include "symbols/symbol_lines.h"
#include "symbols/symbol_sources.h"

/**
 * struct source - a line of source code
 * @path:	the file, NULL if unknown; valid as long as the binary
 * @line:	the line, 0 if unknown
 */
struct source {
	const char *path;
	int	line;
};

/**
 * struct inline_function - a function that is inlined
 * @symbol:	the function
 * @call:	where the next function of the list, or the function around all, calls it
 */
struct inline_function {
	struct symbol *symbol;
	struct source call;
};

/**
 * struct inline_list - functions inlined at an address
 * @nr:		number of functions
 * @functions:	the functions, innermost first
 */
struct inline_list {
	size_t	nr;
	struct inline_function functions[];
};

Dwarf_Frame *object_rules(struct object *object, u64 addr);
const char *object_line(struct symbol_sources *sources, struct object *object, u64 addr,
			const struct symbol *symbol);
struct source object_source(struct symbol_sources *sources, struct object *object, u64 addr);
const struct inline_list *object_inlines(struct symbol_sources *sources, struct object *object,
					 u64 addr, const struct symbol *symbol);
const struct symbol *symbol_around(const struct symbol *symbol);
const char *object_directory(struct symbol_sources *sources, struct object *object, u64 addr);
int object_each_range(struct symbol_sources *sources, struct object *object, u64 addr,
		      int (*visit)(void *arg, const struct inline_range *range), void *arg);
int object_each_function(struct symbol_sources *sources, struct object *object, u64 addr,
			 int (*visit)(void *arg, const struct code_line *line), void *arg);
void object_dwarf_free(struct object *object);

#endif /* TPROF_OBJECT_DWARF_H */
