/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx html - call stacks as a page shows them: by function and kind
 *
 * A stack of struct frames is of addresses. Stacks with the same functions of the same kinds
 * are one node of this tree.
 */
#ifndef TPROF_HTML_TREE_H
#define TPROF_HTML_TREE_H

#include "export/frames.h"

/**
 * struct tree_node - a call stack
 * @parent:	number of the node of the callers, 0 if there are none
 * @function:	number of the innermost function
 * @kind:	kind of the innermost frame
 */
struct tree_node {
	u32	parent;
	u32	function;
	enum frame_kind kind;
};

/**
 * struct tree - all nodes; empty if all members are zero
 * @table:	numbers of nodes, by their members
 * @nodes:	nodes, by number; number 0 has no frame
 * @nr:		number of nodes
 * @room:	capacity of @nodes
 * @node_of:	number of the node of each stack of struct frames
 * @nr_stacks:	length of @node_of
 * @stack_room:	capacity of @node_of
 */
struct tree {
	struct hash_table table;
	struct tree_node *nodes;
	size_t	nr;
	size_t	room;
	u32	*node_of;
	size_t	nr_stacks;
	size_t	stack_room;
};

int tree_find(struct tree *tree, const struct frames *frames, u32 stack, u32 *number);
int tree_begin(struct tree *tree);
int tree_place(struct tree *tree, const struct tree_node *node, u32 *number);
void tree_free(struct tree *tree);

#endif /* TPROF_HTML_TREE_H */
