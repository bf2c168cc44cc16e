// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx html - call stacks as a page shows them: by function and kind
 */
#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "html/tree.h"

/* A node is its own key: FRAMES_LIMIT bounds the number of functions. */
static u64 key_of(const struct tree_node *node)
{
	return (u64)node->parent << 32 | (u64)node->function << 3 | node->kind;
}

static int add_node(struct tree *tree, const struct tree_node *node)
{
	struct tree_node *nodes = array_grow(tree->nodes, tree->nr, &tree->room,
					     sizeof(*nodes));

	if (!nodes)
		return -ENOMEM;
	tree->nodes = nodes;
	nodes[tree->nr++] = *node;
	return 0;
}

/* Add the root, unless @tree has it. Return 0 or -ENOMEM. */
int tree_begin(struct tree *tree)
{
	return tree->nr ? 0 : add_node(tree, &(struct tree_node){ 0 });
}

/*
 * Find or add a node, and set @number. The root has number 0, and no entry in the table.
 * Return 0 or -ENOMEM.
 */
int tree_place(struct tree *tree, const struct tree_node *node, u32 *number)
{
	u64 hash = hash_number(key_of(node));
	void *found = hash_table_find(&tree->table, hash, NULL, NULL);

	*number = found ? (uintptr_t)found : tree->nr;
	if (found)
		return 0;
	if (add_node(tree, node))
		return -ENOMEM;
	return hash_table_add(&tree->table, hash, (void *)(uintptr_t)*number);
}

/*
 * Find or add the node of a call stack, and set @number. @frames[0] is its innermost frame.
 * Return 0 or -ENOMEM.
 */
int tree_add(struct tree *tree, const struct frame **frames, int nr, u32 *number)
{
	struct tree_node node;
	int err = tree_begin(tree);

	*number = 0;
	while (nr-- && !err) {
		node = (struct tree_node){ .parent = *number,
					   .function = frames[nr]->function->number,
					   .kind = frame_kind(frames[nr]),
					   .missed = tree->missed };
		err = tree_place(tree, &node, number);
	}
	return err;
}

void tree_free(struct tree *tree)
{
	hash_table_free(&tree->table, NULL);
	free(tree->nodes);
	*tree = (struct tree){ 0 };
}
