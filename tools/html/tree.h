/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx html - call stacks as a page shows them: by function and kind
 *
 * Stacks of different addresses in the same functions of the same kinds are one node of this
 * tree.
 */
#ifndef TPROF_HTML_TREE_H
#define TPROF_HTML_TREE_H

#include "export/frames.h"

/**
 * struct tree_node - a call stack
 * @parent:	number of the node of the callers, 0 if there are none
 * @function:	number of the innermost function
 * @kind:	kind of the innermost frame
 * @missed:	its share of all samples may be larger by less than this (prune.c)
 */
struct tree_node {
	u32	parent;
	u32	function : 29;
	u32	kind : 3;
	float	missed;
};

/* The function and the kind of a node that stands for all small stacks of its parent. */
#define TREE_SMALL	((1U << 29) - 1)
#define TREE_SMALL_KIND	NR_FRAME_KINDS

/**
 * struct tree - all nodes; empty if all members are zero
 * @table:	numbers of nodes, by their members
 * @nodes:	nodes, by number; number 0 has no frame
 * @nr:		number of nodes
 * @room:	capacity of @nodes
 * @missed:	a stack that is not in the tree has a smaller share of all samples
 */
struct tree {
	struct hash_table table;
	struct tree_node *nodes;
	size_t	nr;
	size_t	room;
	float	missed;
};

_Static_assert(TREE_SMALL_KIND < 8, "kinds of nodes have 3 bits");

int tree_begin(struct tree *tree);
int tree_place(struct tree *tree, const struct tree_node *node, u32 *number);
int tree_add(struct tree *tree, const struct frame **frames, int nr, u32 *number);
void tree_free(struct tree *tree);

#endif /* TPROF_HTML_TREE_H */
