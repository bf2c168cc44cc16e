/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - functions that a process made itself, and when
 *
 * A compiler that makes code while the program runs can write it down, with the
 * times, to a file jit-PID.dump, which it maps so that a profiler learns of it.
 * Where one function was, another can be later.
 */
#ifndef TPROF_JIT_DUMP_H
#define TPROF_JIT_DUMP_H

#include "symbols/jit_loads.h"
#include "symbols/symbol_file.h"
#include "symbols/symtab.h"

bool jit_dump_is_name(const char *path);
enum symbol_status jit_dump_load(const char *path, u64 ino, struct interned *names,
				 struct symtab *symtab, struct jit_loads *loads);

#endif /* TPROF_JIT_DUMP_H */
