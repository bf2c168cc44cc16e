/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - load the symbols of the kernel and its modules
 *
 * The symbols come from files that the user specifies. Without such a file, they come
 * from the running kernel, if it is the recorded one. After a reboot, KASLR puts the
 * same kernel at another address: the symbols of the kernel are then moved by the
 * difference, and the symbols of modules cannot be used.
 *
 * The running kernel is the recorded one if the build-id matches or, if none was recorded, if
 * release and kernel address match. Symbols of a module are used only if the module is loaded
 * as well.
 */
#ifndef TPROF_KERNEL_SYMBOLS_H
#define TPROF_KERNEL_SYMBOLS_H

#include "base/message.h"
#include "symbols/symbol_file.h"

/**
 * struct kernel_symbols - symbols of the kernel and all modules
 * @text:	recorded address of _text, 0 if unknown
 * @build_id:	build-id of the recorded kernel, size 0 if unknown
 * @release:	release of the recorded kernel (uname(2)), NULL if unknown
 * @loaded:	kernel_symbols_load() was called
 * @here:	SYMBOL_FOUND, or why @moved is unknown
 * @moved:	(recorded address of _text) - (its address in kallsyms)
 * @kernel:	SYMBOL_FOUND, or why the kernel has no symbols
 * @modules:	SYMBOL_FOUND, or why modules have no symbols
 * @symtab:	the symbols
 * @file:	the vmlinux file
 * @module_names: names of modules from kallsyms
 * @names:	names of symbols from kallsyms
 */
struct kernel_symbols {
	u64	text;
	struct build_id build_id;
	const char *release;
	bool	loaded;
	enum symbol_status here;
	u64	moved;
	enum symbol_status kernel;
	enum symbol_status modules;
	struct symtab symtab;
	struct symbol_file file;
	struct interned module_names;
	struct arena names;
};

int kallsyms_check(const char *path, struct message *message);
bool kernel_symbols_are_here(const struct kernel_symbols *kernel);
void kernel_symbols_load(struct kernel_symbols *kernel, const struct symbol_options *options);
void kernel_symbols_free(struct kernel_symbols *kernel);

#endif /* TPROF_KERNEL_SYMBOLS_H */
