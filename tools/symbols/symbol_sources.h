/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - sources of symbols shared by all binaries of a recording
 */
#ifndef TPROF_SYMBOL_SOURCES_H
#define TPROF_SYMBOL_SOURCES_H

#include "perfdata/feature_cursor.h"
#include "symbols/embedded.h"
#include "symbols/kernel_symbols.h"
#include "symbols/symbol_file.h"

/**
 * struct symbol_sources - sources of symbols other than each binary's own files
 * @options:	options of the command line
 * @embedded:	symbols in the recording
 * @code:	code of the kernel in the recording
 * @kernel:	symbols of the kernel and its modules
 * @names:	names that several binaries may share
 */
struct symbol_sources {
	struct symbol_options options;
	struct embedded embedded;
	struct feature_cursor code;
	struct kernel_symbols kernel;
	struct interned names;
};

#endif /* TPROF_SYMBOL_SOURCES_H */
