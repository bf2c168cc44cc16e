/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - ordered sets of structs, as tsearch(3) keeps them
 */
#ifndef TPROF_TREE_H
#define TPROF_TREE_H

#include "base/types.h"

typedef int (*tree_compare)(const void *a, const void *b);

void *tree_find(void *const *root, const void *key, tree_compare compare);
void *tree_get(void **root, const void *key, size_t size, tree_compare compare, bool *is_new);
void tree_free(void **root);

#endif /* TPROF_TREE_H */
