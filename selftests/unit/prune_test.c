// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - folding small stacks of a tree
 */
#include <stdlib.h>
#include <string.h>

#include "html/prune.h"
#include "unit.h"

/* Stacks of LEVELS functions. Function numbers below FUNCTIONS are drawn by Zipf's law. */
#define LEVELS		4
#define FUNCTIONS	12
#define SAMPLES		200000
#define NODES_MOST	2000

/* The exact number of samples of each stack, by the functions of the stack as digits. */
#define DIGIT		(FUNCTIONS + 1)
#define NR_STACKS	(DIGIT * DIGIT * DIGIT * DIGIT)

static u32 exact[NR_STACKS];
static u32 seed;

static u32 dice(u32 range)
{
	seed = seed * 1103515245 + 12345;
	return (seed >> 8) % range;
}

/* Return K, 0 <= K < FUNCTIONS, with a probability that falls with K. */
static u32 draw(void)
{
	u32 a = dice(FUNCTIONS), b = dice(FUNCTIONS), c = dice(FUNCTIONS);

	a = a < b ? a : b;
	return a < c ? a : c;
}

/*
 * Add a sample to @tree, and count it in exact. Some stacks are shorter than others. Return
 * the number of its node.
 */
static u32 add_sample(struct tree *tree)
{
	u32 level, stack = 0, number = 0, levels = LEVELS - dice(2);
	struct tree_node node = { 0 };

	if (tree_begin(tree))
		abort();
	for (level = 0; level < levels; level++) {
		node = (struct tree_node){ .parent = number, .function = draw(),
					   .kind = FRAME_USER, .missed = tree->missed };
		stack = stack * DIGIT + node.function + 1;
		exact[stack]++;
		if (tree_place(tree, &node, &number))
			abort();
	}
	return number;
}

/* Return the number of a stack in exact, or 0 for one that is, or is in, small stacks. */
static u32 stack_of(const struct tree *tree, u32 number)
{
	u32 stack = 0, scale = 1;

	for (; number; number = tree->nodes[number].parent, scale *= DIGIT) {
		if (tree->nodes[number].function == TREE_SMALL)
			return 0;
		stack += (tree->nodes[number].function + 1) * scale;
	}
	return stack;
}

/* The samples of each node itself. A recording has these in its points. */
static u32 own[NODES_MOST + 1];
static u32 nr_samples;

typedef int (*pruner)(struct tree *tree, double *shares, size_t most, u32 *moved);

static void prune(struct tree *tree, pruner prune_tree, size_t most)
{
	double *shares = calloc(tree->nr, sizeof(*shares));
	u32 *moved = calloc(tree->nr, sizeof(*moved)), *old = calloc(tree->nr, sizeof(*old));
	size_t i, nr = tree->nr;

	if (!shares || !moved || !old || nr > NODES_MOST)
		abort();
	for (i = 0; i < nr; i++)
		shares[i] = (double)own[i] / nr_samples;
	memcpy(old, own, nr * sizeof(*old));
	memset(own, 0, sizeof(own));
	if (prune_tree(tree, shares, most, moved))
		abort();
	for (i = 0; i < nr; i++)
		own[moved[i]] += old[i];
	free(shares);
	free(moved);
	free(old);
}

/* Return the samples of all nodes with their callees. */
static u32 *sums_of(const struct tree *tree)
{
	u32 *sums = calloc(tree->nr, sizeof(*sums));
	size_t i;

	if (!sums)
		abort();
	memcpy(sums, own, tree->nr * sizeof(*sums));
	for (i = tree->nr - 1; i; i--)
		sums[tree->nodes[i].parent] += sums[i];
	return sums;
}

/* A tree of few samples is pruned once, so nothing is missed. */
static void test_once(void)
{
	struct tree tree = { 0 };
	size_t i, kept = 0, small = 0, wanted = 0;
	bool exactly = true, largest = true;
	u32 *sums;

	seed = 1;
	memset(exact, 0, sizeof(exact));
	memset(own, 0, sizeof(own));
	for (nr_samples = 0; tree.nr + LEVELS < NODES_MOST; nr_samples++)
		own[add_sample(&tree)]++;
	prune(&tree, tree_prune, 100);
	sums = sums_of(&tree);
	for (i = 1; i < tree.nr; i++) {
		if (tree.nodes[i].function == TREE_SMALL) {
			small++;
			continue;
		}
		kept++;
		exactly &= sums[i] == exact[stack_of(&tree, i)] && !tree.nodes[i].missed;
		largest &= sums[i] >= tree.missed * nr_samples;
	}
	for (i = 1; i < NR_STACKS; i++)
		wanted += exact[i] >= tree.missed * nr_samples;
	unit_ok(kept > 50 && kept <= 100 && small && small <= kept + 1 &&
		tree.nr == 1 + kept + small, "number_of_nodes_is_bounded");
	unit_ok(sums[0] == nr_samples, "no_sample_is_dropped");
	unit_ok(exactly, "sums_of_kept_stacks_are_exact");
	unit_ok(largest && kept == wanted, "largest_stacks_are_kept");
	free(sums);
	tree_free(&tree);
}

/* Fill @missing: 1 for each stack that is not in @tree. Return false if a bound is wrong. */
static bool has_bounds(const struct tree *tree, u8 *missing)
{
	u32 *sums = sums_of(tree), stack;
	bool good = sums[0] == nr_samples;
	size_t i;

	memset(missing, 1, NR_STACKS);
	for (i = 1; i < tree->nr; i++) {
		stack = stack_of(tree, i);
		missing[stack] = 0;
		good &= !stack || (sums[i] <= exact[stack] && (double)exact[stack] <=
				   sums[i] + 1e-6 + tree->nodes[i].missed * 1.0001 * nr_samples);
	}
	for (i = 1; i < NR_STACKS; i++)
		good &= !missing[i] || exact[i] <= tree->missed * 1.0001 * nr_samples;
	free(sums);
	return good;
}

/* The tree is pruned again and again while samples come. */
static void test_stream(void)
{
	static u8 missing[NR_STACKS];
	struct tree tree = { 0 };
	u32 before = 0, prunes = 0, *sums;
	bool good = true;
	size_t i;

	seed = 2;
	memset(exact, 0, sizeof(exact));
	memset(own, 0, sizeof(own));
	for (nr_samples = 0; nr_samples < SAMPLES; nr_samples++) {
		if (tree.nr + LEVELS >= NODES_MOST) {
			tree_scale_missed(&tree, (double)before / nr_samples);
			prune(&tree, tree_prune, NODES_MOST / 4);
			good &= tree.nr <= NODES_MOST / 2 + 1 && has_bounds(&tree, missing);
			before = nr_samples;
			prunes++;
		}
		own[add_sample(&tree)]++;
	}
	unit_ok(good && prunes > 20, "number_of_nodes_stays_bounded");
	tree_scale_missed(&tree, (double)before / nr_samples);
	unit_ok(has_bounds(&tree, missing), "bounds_of_what_is_missed_hold");
	unit_ok(tree.missed < 20.0 / NODES_MOST, "bounds_are_small");
	prune(&tree, tree_prune_last, 100);
	sums = sums_of(&tree);
	for (i = 1, good = has_bounds(&tree, missing); i < tree.nr; i++)
		good &= !stack_of(&tree, i) || 2 * sums[i] >= exact[stack_of(&tree, i)];
	unit_ok(good && tree.nr > 20, "shown_stacks_lack_at_most_half");
	free(sums);
	tree_free(&tree);
}

/* Small stacks that were folded stay with their callers. */
static void test_again(void)
{
	struct tree tree = { 0 };
	u32 nodes, first;
	size_t i;

	seed = 3;
	memset(own, 0, sizeof(own));
	for (nr_samples = 0; tree.nr + LEVELS < NODES_MOST; nr_samples++)
		own[add_sample(&tree)]++;
	prune(&tree, tree_prune, 100);
	nodes = tree.nr;
	for (i = 1, first = 0; i < tree.nr; i++)
		first += own[i];
	prune(&tree, tree_prune, nodes);
	unit_ok(tree.nr == nodes, "small_stacks_are_not_folded_again");
	prune(&tree, tree_prune, 0);
	unit_ok(tree.nr == 2 && tree.nodes[1].function == TREE_SMALL && own[1] == first,
		"all_stacks_can_be_small");
	tree_free(&tree);
}

int main(void)
{
	test_once();
	test_stream();
	test_again();
	return unit_exit();
}
