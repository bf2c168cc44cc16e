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
	return (u64)node->parent << 32 | node->function << 3 | node->kind;
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

/* Find the node of the next stack of @frames. The node of its callers was found before. */
static int add_stack(struct tree *tree, const struct frames *frames)
{
	u32 stack = tree->nr_stacks, number = 0;
	u32 *grown = array_grow(tree->node_of, stack, &tree->stack_room, sizeof(*grown));
	const struct frame *frame;
	struct tree_node node;
	int err;

	if (!grown)
		return -ENOMEM;
	tree->node_of = grown;
	if (!stack) {
		err = tree_begin(tree);
	} else {
		frame = frames->list[frames->nodes[stack].frame];
		node = (struct tree_node){ .parent = grown[frames->nodes[stack].parent],
					   .function = frame->function->number,
					   .kind = frame_kind(frame) };
		err = tree_place(tree, &node, &number);
	}
	grown[stack] = number;
	tree->nr_stacks++;
	return err;
}

/*
 * Set @number to the number of the node of a stack. In @frames, stacks consist of frames.
 * Return 0 or -ENOMEM.
 */
int tree_find(struct tree *tree, const struct frames *frames, u32 stack, u32 *number)
{
	int err = 0;

	while (!err && tree->nr_stacks <= stack)
		err = add_stack(tree, frames);
	*number = err ? 0 : tree->node_of[stack];
	return err;
}

void tree_free(struct tree *tree)
{
	hash_table_free(&tree->table, NULL);
	free(tree->nodes);
	free(tree->node_of);
	*tree = (struct tree){ 0 };
}
