/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - read JIT-compiled functions from /tmp/perf-PID.map
 */
#ifndef TPROF_PERF_MAP_H
#define TPROF_PERF_MAP_H

#include "symbols/symbol_file.h"

enum symbol_status perf_map_load(const char *path, struct interned *names, struct symtab *symtab);

#endif /* TPROF_PERF_MAP_H */
