/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx html - fold small stacks of a tree into a node of their callers
 */
#ifndef TPROF_HTML_PRUNE_H
#define TPROF_HTML_PRUNE_H

#include "html/tree.h"

void tree_scale_missed(struct tree *tree, double scale);
int tree_prune(struct tree *tree, double *shares, size_t most, u32 *moved);
int tree_prune_last(struct tree *tree, double *shares, size_t most, u32 *moved);

#endif /* TPROF_HTML_PRUNE_H */
