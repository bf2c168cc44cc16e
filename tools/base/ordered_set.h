/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - ordered sets of structs, by tsearch(3)
 */
#ifndef TPROF_ORDERED_SET_H
#define TPROF_ORDERED_SET_H

#include "base/types.h"

typedef int (*ordered_compare)(const void *a, const void *b);

void *ordered_find(void *const *root, const void *key, ordered_compare compare);
void *ordered_get(void **root, const void *key, size_t size, ordered_compare compare, bool *is_new);
void ordered_free(void **root);

#endif /* TPROF_ORDERED_SET_H */
