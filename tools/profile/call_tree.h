/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - call trees, which merge call paths that begin with the same functions
 */
#ifndef TPROF_CALL_TREE_H
#define TPROF_CALL_TREE_H

#include "base/arena.h"
#include "base/hash_table.h"

/**
 * struct call_node - a node of a call tree
 * @key:	symbol_key() of a function, or a pointer to a name
 * @parent:	parent node, NULL for a root
 * @first:	first child
 * @next:	next sibling
 * @period:	sum of the periods of the samples with a path through this node
 * @samples:	number of these samples
 * @own_samples: number of samples with a path that ends in this node
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
 * struct call_trees - the nodes of any number of trees; empty if all members are zero
 * @table:	nodes of all trees, hashed by parent and key
 * @memory:	memory of the nodes
 */
struct call_trees {
	struct hash_table table;
	struct arena memory;
};

/**
 * struct call_weight - what to add to the nodes of a path
 * @period:	sum of the periods of the samples with this path
 * @samples:	number of these samples
 */
struct call_weight {
	u64	period;
	u64	samples;
};

/**
 * struct call_mark - a node that call_tree_merge() adds, to mark the samples of one tree
 * @key:	its key
 * @is_first:	put it before the paths, else at their ends
 */
struct call_mark {
	u64	key;
	bool	is_first;
};

int call_tree_add(struct call_trees *trees, struct call_node *root, const u64 *keys, size_t nr,
		  const struct call_weight *weight);
int call_tree_merge(struct call_trees *trees, struct call_node *to, const struct call_node *from,
		    const struct call_mark *mark);
void call_tree_divide(struct call_node *root, u64 divisor);
u64 call_node_own_period(const struct call_node *node);
void call_tree_sort(struct call_node *root);
void call_trees_free(struct call_trees *trees);

#endif /* TPROF_CALL_TREE_H */
