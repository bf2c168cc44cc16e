/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - call trees: paths that begin alike, kept once
 */
#ifndef TPROF_CALL_TREE_H
#define TPROF_CALL_TREE_H

#include "base/hash_table.h"

/**
 * struct call_node - a place in a tree
 * @key:	what stands there, a number or a pointer
 * @parent:	the place before, NULL for a root
 * @first:	one of the places behind it
 * @next:	the next place behind the same parent
 * @period:	of all paths that come through here
 * @samples:	likewise
 * @own_samples: paths that end here
 */
struct call_node {
	u64	key;
	struct call_node *parent;
	struct call_node *first;
	struct call_node *next;
	u64	period;
	u64	samples;
	u64	own_samples;
};

/**
 * struct call_trees - any number of trees; all zero is none
 * @table:	the places of all trees, by parent and key
 */
struct call_trees {
	struct hash_table table;
};

int call_tree_add(struct call_trees *trees, struct call_node *root, const u64 *keys, size_t nr,
		  u64 period);
void call_tree_sort(struct call_node *root);
void call_trees_free(struct call_trees *trees);

#endif /* TPROF_CALL_TREE_H */
