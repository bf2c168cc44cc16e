/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - where the symbols of all binaries of a recording come from
 */
#ifndef TPROF_SYMBOL_SOURCES_H
#define TPROF_SYMBOL_SOURCES_H

#include "symbols/embedded.h"
#include "symbols/kernel_symbols.h"
#include "symbols/symbol_file.h"

/**
 * struct symbol_sources - where symbols come from, but for files of a binary itself
 * @options:	where they may be taken from
 * @embedded:	symbols that the recording has
 * @kernel:	symbols of the kernel and its modules
 * @names:	texts that are not of a single binary
 */
struct symbol_sources {
	struct symbol_options options;
	struct embedded embedded;
	struct kernel_symbols kernel;
	struct interned names;
};

#endif /* TPROF_SYMBOL_SOURCES_H */
