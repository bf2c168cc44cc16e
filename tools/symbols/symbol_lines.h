/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - read source lines and inlined functions of an ELF file
 */
#ifndef TPROF_SYMBOL_LINES_H
#define TPROF_SYMBOL_LINES_H

#include "symbols/symbol_file.h"

/**
 * struct inline_call - a call that the compiler has replaced by the called function
 * @name:	name of the called function
 * @path:	source file of the call, NULL if unknown; valid while the file is open
 * @line:	its line, 0 if unknown
 */
struct inline_call {
	const char *name;
	const char *path;
	int	line;
};

/**
 * struct inline_range - addresses of an inlined function
 * @start:	first address, of the kind of symbol_file.addresses
 * @end:	last address + 1
 * @call:	the call that it replaces
 */
struct inline_range {
	u64	start;
	u64	end;
	struct inline_call call;
};

/**
 * struct code_line - the place of an address in the source code of a function
 * @function:	the function's name, as the linker sees it
 * @first:	line of the function's declaration, 0 if unknown
 * @line:	line of the address or, if the address is in an inlined function, of its call
 * @discriminator: which of several blocks or calls in @line, as the compiler numbers them
 * @is_entry:	the function begins at the address
 */
struct code_line {
	const char *function;
	u32	first;
	u32	line;
	u32	discriminator;
	bool	is_entry;
};

const char *symbol_file_line(struct symbol_file *file, u64 addr, int *line);
const char *symbol_file_directory(struct symbol_file *file, u64 addr);
int symbol_file_each_inline(struct symbol_file *file, u64 addr,
			    int (*visit)(void *arg, const struct inline_call *call), void *arg);
int symbol_file_each_range(struct symbol_file *file, u64 addr,
			   int (*visit)(void *arg, const struct inline_range *range), void *arg);
int symbol_file_each_function(struct symbol_file *file, u64 addr,
			      int (*visit)(void *arg, const struct code_line *line), void *arg);

#endif /* TPROF_SYMBOL_LINES_H */
