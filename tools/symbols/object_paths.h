/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - make the paths at which a binary's file may be
 */
#ifndef TPROF_OBJECT_PATHS_H
#define TPROF_OBJECT_PATHS_H

#include "symbols/object.h"

#define OBJECT_PATHS	4

char *object_path(const struct object *object, const char *symfs, u32 nr);

#endif /* TPROF_OBJECT_PATHS_H */
