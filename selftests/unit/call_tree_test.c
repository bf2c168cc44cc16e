// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - the nodes of a call tree and their order
 */
#include <stdlib.h>

#include "profile/call_tree.h"
#include "unit.h"

/* Add @nr children to @root. Some have equal periods. The key of each is its number. */
static void fill(struct call_trees *trees, struct call_node *root, u64 nr)
{
	for (u64 key = 0; key < nr; key++) {
		struct call_weight weight = { .period = random() % (nr / 2 + 1), .samples = 1 };

		if (call_tree_add(trees, root, &key, 1, &weight))
			abort();
	}
}

/* Return true if @root has @nr children: highest period first, then highest number. */
static bool is_in_order(const struct call_node *root, u64 nr)
{
	const struct call_node *node, *next;
	bool is_ok = true;
	u64 i = 0;

	for (node = root->first; node; node = next, i++) {
		next = node->next;
		if (next)
			is_ok &= node->period > next->period ||
				 (node->period == next->period && node->key > next->key);
	}
	return is_ok && i == nr;
}

static void test_sort(u64 nr, const char *name)
{
	struct call_trees trees = { 0 };
	struct call_node root = { 0 };

	fill(&trees, &root, nr);
	call_tree_sort(&root);
	unit_ok(is_in_order(&root, nr), name);
	call_trees_free(&trees);
}

int main(void)
{
	test_sort(0, "a tree without nodes is sorted");
	test_sort(100, "a short list is sorted by period, and is in order among equal periods");
	test_sort(2000, "a long list is sorted in the same order as a short one");
	return unit_exit();
}
