// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - call trees, which merge call paths that begin with the same functions
 */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/linked_sort.h"
#include "profile/call_tree.h"
#include "profile/order.h"

/* Minimum number of nodes in a list that sort_long() sorts. */
#define LONG_LIST	512

static bool is_node(const void *entry, const void *wanted)
{
	const struct call_node *node = entry, *key = wanted;

	return node->key == key->key && node->parent == key->parent;
}

static struct call_node *get_child(struct call_trees *trees, struct call_node *parent, u64 key)
{
	struct call_node wanted = { .key = key, .parent = parent };
	u64 hash = hash_number(hash_number((uintptr_t)parent) + key);
	struct call_node *node = hash_table_find(&trees->table, hash, is_node, &wanted);

	if (node)
		return node;
	node = arena_get(&trees->memory, sizeof(*node));
	if (!node || hash_table_add(&trees->table, hash, node))
		return NULL;
	*node = (struct call_node){ .key = key, .parent = parent, .next = parent->first };
	parent->first = node;
	return node;
}

/*
 * Add @weight to @root and to the path of @nr nodes below it. Create the missing
 * nodes. @keys has the key of each node. The caller owns @root.
 */
int call_tree_add(struct call_trees *trees, struct call_node *root, const u64 *keys, size_t nr,
		  const struct call_weight *weight)
{
	struct call_node *node = root;
	size_t i;

	for (i = 0;; i++) {
		node->period += weight->period;
		node->samples += weight->samples;
		if (i == nr)
			break;
		node = get_child(trees, node, keys[i]);
		if (!node)
			return -ENOMEM;
	}
	node->own_samples += weight->samples;
	return 0;
}

/* Return the sum of the periods of the samples with a path that ends in @node. */
u64 call_node_own_period(const struct call_node *node)
{
	const struct call_node *child;
	u64 period = node->period;

	for (child = node->first; child; child = child->next)
		period -= child->period;
	return period;
}

/* Add the weight of @from to @to. With @leaf, the samples of paths that end in @from end there. */
static void add_node(struct call_node *to, struct call_node *leaf, const struct call_node *from)
{
	to->period += from->period;
	to->samples += from->samples;
	if (!leaf) {
		to->own_samples += from->own_samples;
		return;
	}
	leaf->period += call_node_own_period(from);
	leaf->samples += from->own_samples;
	leaf->own_samples += from->own_samples;
}

/* Merge one node. @to is the node of its path. Return -ENOMEM or 0. */
static int merge_node(struct call_trees *trees, struct call_node *to,
		      const struct call_node *from, const struct call_mark *mark)
{
	struct call_node *leaf = NULL;

	if (mark && !mark->is_first && from->own_samples) {
		leaf = get_child(trees, to, mark->key);
		if (!leaf)
			return -ENOMEM;
	}
	add_node(to, leaf, from);
	return 0;
}

/*
 * Return the node after @node in the tree @root, or NULL after the last. If the node is no
 * child of @node, move @at up as many levels as needed to reach the parent's counterpart.
 */
static const struct call_node *next_node(const struct call_node *root,
					 const struct call_node *node, struct call_node **at)
{
	if (node->first)
		return node->first;
	while (node != root && !node->next) {
		node = node->parent;
		*at = (*at)->parent;
	}
	if (node == root)
		return NULL;
	*at = (*at)->parent;
	return node->next;
}

/*
 * Add all paths of the tree @from to the tree @to. Each path gets a further node with the key
 * of @mark, unless it is NULL. @trees has the nodes of @to.
 */
int call_tree_merge(struct call_trees *trees, struct call_node *to, const struct call_node *from,
		    const struct call_mark *mark)
{
	const struct call_node *node = from;
	int err;

	if (mark && mark->is_first && from->samples) {
		to->period += from->period;
		to->samples += from->samples;
		to = get_child(trees, to, mark->key);
		if (!to)
			return -ENOMEM;
	}
	/* Not recursive: paths can be very long. */
	for (;;) {
		err = merge_node(trees, to, node, mark);
		if (err)
			return err;
		node = next_node(from, node, &to);
		if (!node)
			return 0;
		to = get_child(trees, to, node->key);
		if (!to)
			return -ENOMEM;
	}
}

/*
 * Return the node after @node in the tree @root, or NULL after the last. Not recursive: paths can
 * be very long.
 */
static struct call_node *node_after(const struct call_node *root, struct call_node *node)
{
	if (node->first)
		return node->first;
	while (node != root && !node->next)
		node = node->parent;
	return node == root ? NULL : node->next;
}

/*
 * Divide the periods of all nodes. The quotients are rounded down, so those of children still add
 * up to at most that of their parent.
 */
void call_tree_divide(struct call_node *root, u64 divisor)
{
	struct call_node *node;

	for (node = root; node; node = node_after(root, node))
		node->period /= divisor;
}

static bool is_larger(const void *a, const void *b)
{
	const struct call_node *node = a, *other = b;

	return node->period >= other->period;
}

/*
 * Sort a long list. Each step of linked_sort() waits for memory, so sort numbers instead, and
 * link the nodes in their order. Return -ENOMEM without a change if memory runs out.
 */
static int sort_long(struct call_node **list, u32 nr)
{
	struct call_node **nodes = malloc(nr * sizeof(*nodes)), *node, **end = list;
	struct order order;
	int err = order_init(&order, nr);
	u32 i = 0;

	if (!nodes)
		err = -ENOMEM;
	for (node = *list; node && !err; node = node->next, i++) {
		nodes[i] = node;
		order.keys[i] = ~node->period;
	}
	if (!err)
		order_by_number(&order);
	for (i = 0; i < nr && !err; i++) {
		*end = nodes[order.numbers[i]];
		end = &(*end)->next;
	}
	if (!err)
		*end = NULL;
	order_free(&order);
	free(nodes);
	return err;
}

static void sort_children(struct call_node *node)
{
	const struct call_node *child;
	u32 nr = 0;

	for (child = node->first; child; child = child->next)
		nr++;
	if (nr < LONG_LIST || sort_long(&node->first, nr))
		node->first = linked_sort(node->first, offsetof(struct call_node, next), is_larger);
}

/* Sort the children of every node by period, highest first. */
void call_tree_sort(struct call_node *root)
{
	struct call_node *node;

	for (node = root; node; node = node_after(root, node))
		sort_children(node);
}

/* Free all nodes except the roots. The callers own the roots. */
void call_trees_free(struct call_trees *trees)
{
	hash_table_free(&trees->table, NULL);
	arena_free(&trees->memory);
}
