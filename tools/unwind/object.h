/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - make the unwind table of a binary
 */
#ifndef TPROF_UNWIND_OBJECT_H
#define TPROF_UNWIND_OBJECT_H

#include <stdatomic.h>

#include "unwind/table.h"

int unwind_object_by(int fd, u32 max, const atomic_bool *is_unwanted, struct unwind_table *table);
int unwind_object(int fd, const atomic_bool *is_unwanted, struct unwind_table *table);

#endif /* TPROF_UNWIND_OBJECT_H */
