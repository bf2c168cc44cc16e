/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - read JIT-compiled functions from jitdump files
 *
 * A JIT compiler can write its functions to a file jit-PID.dump. Each function
 * has a time, because an address can belong to different functions at different
 * times. The JIT compiler also maps the file, so that a recording has an MMAP2
 * record with the file's path.
 */
#ifndef TPROF_JIT_DUMP_H
#define TPROF_JIT_DUMP_H

#include "symbols/jit_lines.h"
#include "symbols/jit_loads.h"
#include "symbols/symbol_file.h"
#include "symbols/symtab.h"

bool jit_dump_is_name(const char *path);
enum symbol_status jit_dump_load(const char *path, u64 ino, struct interned *names,
				 struct symtab *symtab, struct jit_loads *loads,
				 struct jit_lines *lines);

#endif /* TPROF_JIT_DUMP_H */
