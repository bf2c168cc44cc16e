/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - sort linked lists
 */
#ifndef TPROF_LINKED_SORT_H
#define TPROF_LINKED_SORT_H

#include "base/types.h"

/* Return true if @a stays before @b. */
typedef bool (*linked_order)(const void *a, const void *b);

void *linked_sort(void *list, size_t next, linked_order order);

#endif /* TPROF_LINKED_SORT_H */
