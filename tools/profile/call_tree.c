// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - call trees, which merge call paths that begin with the same functions
 */
#include <errno.h>

#include "profile/call_tree.h"

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
	*node = wanted;
	node->next = parent->first;
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

/* Merge two sorted lists. */
static struct call_node *merge(struct call_node *a, struct call_node *b)
{
	struct call_node *first = NULL, **end = &first;

	while (a && b) {
		struct call_node **from = a->period >= b->period ? &a : &b;

		*end = *from;
		end = &(*from)->next;
		*from = (*from)->next;
	}
	*end = a ? a : b;
	return first;
}

static struct call_node *sort_list(struct call_node *list)
{
	struct call_node *slow = list, *fast = list, *half;

	if (!list || !list->next)
		return list;
	while (fast->next && fast->next->next) {
		slow = slow->next;
		fast = fast->next->next;
	}
	half = slow->next;
	slow->next = NULL;
	return merge(sort_list(list), sort_list(half));
}

/* Sort the children of every node by period, highest first. */
void call_tree_sort(struct call_node *root)
{
	struct call_node *node = root;

	/* Not recursive: paths can be very long. */
	for (;;) {
		node->first = sort_list(node->first);
		if (node->first) {
			node = node->first;
			continue;
		}
		while (node != root && !node->next)
			node = node->parent;
		if (node == root)
			return;
		node = node->next;
	}
}

/* Free all nodes except the roots. The callers own the roots. */
void call_trees_free(struct call_trees *trees)
{
	hash_table_free(&trees->table, NULL);
	arena_free(&trees->memory);
}
