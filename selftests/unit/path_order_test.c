// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - entries of whole paths have the order of the same paths in a tree
 */
#include <stdlib.h>

#include "profile/path_order.h"
#include "unit.h"

#define THREADS	7

/* Fill @flat with @nr entries, and the tree of @tree with their paths. Many periods are equal. */
static void fill(struct profile *flat, struct profile *tree, u64 nr)
{
	for (u64 i = 0; i < nr; i++) {
		u64 keys[] = { 1 + random() % THREADS, 100 + i };
		struct call_weight weight = { .period = 1 + random() % 3, .samples = 1 };
		struct entry_key key = profile_key(flat, keys);
		u32 entry = entries_get(&flat->entries, &key);

		if (!entry || call_tree_add(&tree->trees, &tree->paths, keys, 2, &weight))
			abort();
		*entries_self(&flat->entries, entry - 1) = (struct tally){ .samples = 1,
								.period = weight.period };
	}
}

static bool is_same(const struct profile *flat, const struct profile *tree)
{
	const struct call_node *thread, *node;
	size_t at = 0;

	for (thread = tree->paths.first; thread; thread = thread->next) {
		for (node = thread->first; node; node = node->next, at++) {
			if (at == flat->entries.nr ||
			    profile_sorted(flat, at).keys[0] != thread->key ||
			    profile_sorted(flat, at).keys[1] != node->key)
				return false;
		}
	}
	return at == flat->entries.nr;
}

static bool test(u64 nr)
{
	static const struct profile_keys keys = { .nr = 2 };
	struct profile flat = { .keys = &keys, .entries.is_flat = true };
	struct profile tree = { .keys = &keys };
	bool same;

	fill(&flat, &tree, nr);
	same = !paths_sort(&flat) && !paths_sort(&tree) && flat.sorted && is_same(&flat, &tree);
	profile_free(&flat);
	profile_free(&tree);
	return same;
}

int main(void)
{
	bool same = true;

	unit_ok(test(0), "a profile without entries is sorted");
	for (u64 nr = 1; nr < 200; nr++)
		same &= test(nr);
	unit_ok(same && test(5000), "entries have the order of their paths in a tree");
	return unit_exit();
}
