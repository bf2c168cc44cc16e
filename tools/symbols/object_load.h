/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - load the symbols of a binary
 */
#ifndef TPROF_OBJECT_LOAD_H
#define TPROF_OBJECT_LOAD_H

#include "symbols/object.h"
#include "symbols/symbol_sources.h"

void object_load(struct symbol_sources *sources, struct object *object);
bool object_runs_here(struct symbol_sources *sources, const struct object *object, u64 *moved);

#endif /* TPROF_OBJECT_LOAD_H */
