/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the symbols of the kernel and its modules
 *
 * They are this machine's if it runs the kernel that was recorded, or from
 * files that the user names. A kernel that was started anew lies elsewhere: its
 * own symbols are moved there, those of modules are of no use.
 */
#ifndef TPROF_KERNEL_SYMBOLS_H
#define TPROF_KERNEL_SYMBOLS_H

#include "symbols/symbol_file.h"

/**
 * struct kernel_symbols - one table for all addresses of the kernel
 * @text:	where the recorded kernel's _text was, 0 when not known
 * @build_id:	of the recorded kernel, of size 0 when not known
 * @release:	likewise, as uname(2) has it, or NULL
 * @loaded:	the symbols were looked for
 * @kernel:	why the kernel has none, or SYMBOL_FOUND
 * @modules:	why modules have none, or SYMBOL_FOUND
 * @symtab:	the symbols
 * @file:	what they are from
 * @names:	their names, of those that are in no ELF file
 */
struct kernel_symbols {
	u64	text;
	struct build_id build_id;
	const char *release;
	bool	loaded;
	enum symbol_status kernel;
	enum symbol_status modules;
	struct symtab symtab;
	struct symbol_file file;
	struct interned names;
};

bool kernel_symbols_are_here(const struct kernel_symbols *kernel);
void kernel_symbols_load(struct kernel_symbols *kernel, const struct symbol_options *options);
void kernel_symbols_free(struct kernel_symbols *kernel);

#endif /* TPROF_KERNEL_SYMBOLS_H */
