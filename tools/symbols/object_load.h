/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - where the symbols of a binary come from
 */
#ifndef TPROF_OBJECT_LOAD_H
#define TPROF_OBJECT_LOAD_H

#include "symbols/object.h"
#include "symbols/symbol_sources.h"

void object_load(struct symbol_sources *sources, struct object *object);

#endif /* TPROF_OBJECT_LOAD_H */
