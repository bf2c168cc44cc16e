/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - options shared by the commands that look up symbols
 */
#ifndef TPROF_SYMBOL_ROWS_H
#define TPROF_SYMBOL_ROWS_H

#include "cli/command.h"
#include "symbols/kernel_symbols.h"
#include "symbols/symbol_file.h"

/*
 * Rows of the options about files with symbols. They set the members of @symbols, which must be
 * a struct symbol_options in @type.
 */
#define SYMBOL_FILE_ROWS(type)                                                            \
	OPTION_ROW(type, 0, "symfs", "DIR", option_text, symbols.symfs,                \
		   "look for binaries below DIR"),                                     \
	OPTION_ROW(type, 'k', "vmlinux", "FILE", option_text, symbols.vmlinux,         \
		   "take kernel symbols from FILE, a vmlinux"),                         \
	OPTION_ROW(type, 0, "kallsyms", "FILE", option_text, symbols.kallsyms,         \
		   "take kernel symbols from FILE, a copy of /proc/kallsyms"),          \
	OPTION_ROW(type, 0, "no-demangle", NULL, option_flag, symbols.no_demangle,     \
		   "do not demangle C++ and Rust names"),                              \
	OPTION_ROW(type, 0, "no-debuginfod", NULL, option_flag, symbols.no_debuginfod, \
		   "do not query the servers of $DEBUGINFOD_URLS")

/* The same, and a row about call chains. */
#define SYMBOL_ROWS(type)                                                              \
	SYMBOL_FILE_ROWS(type),                                                        \
	OPTION_ROW(type, 0, "inline", NULL, option_flag, symbols.inlines,              \
		   "show inlined functions in call chains, by debug information")

int symbol_options_check(const char *command, const struct symbol_options *options);
int symbol_options_check_used(const struct symbol_options *options,
			      const struct kernel_symbols *kernel, const char *input);

#endif /* TPROF_SYMBOL_ROWS_H */
