/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - source lines of JIT-compiled functions
 */
#ifndef TPROF_JIT_LINES_H
#define TPROF_JIT_LINES_H

#include <stddef.h>

#include "base/bytes.h"
#include "base/interned.h"
#include "symbols/jit_loads.h"

/**
 * struct jit_line - where the source line of code changes
 * @addr:	offset of the code in the jitdump file
 * @path:	the source file
 * @line:	its line
 */
struct jit_line {
	u64	addr;
	const char *path;
	u32	line;
};

/**
 * struct jit_lines - lines of all functions of a file; empty if all members are zero
 * @list:	the lines, sorted by address
 * @nr:		number of lines
 * @room:	capacity of @list
 */
struct jit_lines {
	struct jit_line *list;
	size_t	nr;
	size_t	room;
};

int jit_lines_add(struct jit_lines *lines, struct interned *names, const struct bytes *table,
		  const struct jit_load *load);
void jit_lines_sort(struct jit_lines *lines);
const struct jit_line *jit_lines_find(const struct jit_lines *lines, u64 addr);
void jit_lines_free(struct jit_lines *lines);

#endif /* TPROF_JIT_LINES_H */
