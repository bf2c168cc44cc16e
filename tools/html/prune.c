// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx html - fold small stacks of a tree into a node of their callers
 *
 * All stacks of a caller that are too small become one node, TREE_SMALL. So no sum changes, and
 * the callees of a small stack are in the same node. A stack that was folded may be sampled
 * again. It then is a new node, which lacks the samples from before. So a node has a bound of
 * what it lacks. It is folded only if its share is too small together with this bound:
 *
 *	share of the samples that a node has <= true share <= share + bound
 *
 * and if a stack is not in the tree, its true share is below tree.missed.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "html/prune.h"

/* Shares are counted by the upper bits of a float, which differ by less than 1 %. */
#define BITS	16
#define BUCKETS	(1U << (32 - BITS - 1))

static u32 bucket_of(float share)
{
	u32 bits;

	memcpy(&bits, &share, sizeof(bits));
	return bits >> BITS;
}

static float bucket_begin(u32 bucket)
{
	u32 bits = bucket << BITS;
	float share;

	memcpy(&share, &bits, sizeof(share));
	return share;
}

/**
 * struct pruning - the state of pruning
 * @tree:	the tree
 * @shares:	shares of all samples that nodes have with their callees
 * @is_last:	nodes are chosen by what they have, not by what they may have
 * @least:	least share of nodes that are kept
 */
struct pruning {
	struct tree *tree;
	double	*shares;
	bool	is_last;
	float	least;
};

static float size_of(const struct pruning *pruning, size_t node)
{
	float missed = pruning->is_last ? 0 : pruning->tree->nodes[node].missed;

	return pruning->shares[node] + missed;
}

static void add_callees(const struct pruning *pruning)
{
	size_t i;

	for (i = pruning->tree->nr - 1; i; i--)
		pruning->shares[pruning->tree->nodes[i].parent] += pruning->shares[i];
}

/* Find the least share that at most @most nodes have. Return 0 or -ENOMEM. */
static int find_least(struct pruning *pruning, size_t most)
{
	size_t *counts = calloc(BUCKETS, sizeof(*counts)), nr = 0, i;
	u32 bucket = BUCKETS - 1;

	if (!counts)
		return -ENOMEM;
	for (i = 1; i < pruning->tree->nr; i++)
		counts[bucket_of(size_of(pruning, i))]++;
	while (bucket && nr + counts[bucket] <= most)
		nr += counts[bucket--];
	pruning->least = bucket_begin(bucket + 1);
	free(counts);
	return 0;
}

/* Return what @node becomes. Its parent has become @parent. */
static struct tree_node fold(const struct pruning *pruning, size_t node, u32 parent)
{
	struct tree_node kept = pruning->tree->nodes[node];

	kept.parent = parent;
	if (kept.function == TREE_SMALL || size_of(pruning, node) >= pruning->least)
		return kept;
	return (struct tree_node){ .parent = parent, .function = TREE_SMALL,
				   .kind = TREE_SMALL_KIND };
}

/* The nodes of callers have lower numbers, in both trees. */
static int fold_all(const struct pruning *pruning, struct tree *pruned, u32 *moved)
{
	const struct tree *tree = pruning->tree;
	int err = tree_begin(pruned);
	struct tree_node node;
	u32 parent;
	size_t i;

	moved[0] = 0;
	for (i = 1; i < tree->nr && !err; i++) {
		parent = moved[tree->nodes[i].parent];
		if (parent && pruned->nodes[parent].function == TREE_SMALL) {
			moved[i] = parent;
			continue;
		}
		node = fold(pruning, i, parent);
		err = tree_place(pruned, &node, &moved[i]);
	}
	return err;
}

static int fold_tree(const struct pruning *pruning, float missed, u32 *moved)
{
	struct tree *tree = pruning->tree, pruned = { .missed = missed };
	int err;

	/* The new table replaces this one, which takes most of the memory. */
	hash_table_free(&tree->table, NULL);
	err = fold_all(pruning, &pruned, moved);
	tree_free(tree);
	*tree = pruned;
	return err;
}

/* Change the bounds of all nodes. */
void tree_scale_missed(struct tree *tree, double scale)
{
	size_t i;

	tree->missed *= scale;
	for (i = 0; i < tree->nr; i++)
		tree->nodes[i].missed *= scale;
}

/*
 * Keep at most @most nodes besides those for small stacks, the ones with the largest shares.
 * Return 0 or -ENOMEM.
 *
 * @shares: shares of all samples that nodes have themselves; becomes what they have with callees
 * @moved: becomes the new number of each node
 */
int tree_prune(struct tree *tree, double *shares, size_t most, u32 *moved)
{
	struct pruning pruning = { .tree = tree, .shares = shares };
	int err;

	add_callees(&pruning);
	err = find_least(&pruning, most);
	if (err)
		return err;
	return fold_tree(&pruning, fmaxf(pruning.least, tree->missed), moved);
}

/*
 * The same after the last sample: no node that is kept lacks more than it has. Afterwards, a
 * stack that is not in the tree may have a larger share than a node.
 */
int tree_prune_last(struct tree *tree, double *shares, size_t most, u32 *moved)
{
	struct pruning pruning = { .tree = tree, .shares = shares, .is_last = true };
	int err;

	add_callees(&pruning);
	err = find_least(&pruning, most);
	if (err)
		return err;
	pruning.least = fmaxf(pruning.least, tree->missed);
	return fold_tree(&pruning, pruning.least + tree->missed, moved);
}
