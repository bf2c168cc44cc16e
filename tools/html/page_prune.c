// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx html - keep the stacks of a page few enough for memory, and for a browser
 *
 * The size of a stack is the sum of its shares of the samples of each event. So the stacks of
 * a rare event are not small because other events have more samples.
 *
 * If there are 2 million stacks, or 8 million points whose steps cannot be longer, the stacks
 * with the smallest shares become one node of their callers (prune.c). The page has at most
 * 262,144 stacks; after the last sample, nodes are kept by what they have, and only if they
 * have at least what they may lack. Functions that are left in no stack are left out.
 */
#include <errno.h>
#include <stdlib.h>

#include "html/page_prune.h"
#include "html/prune.h"

size_t page_stacks_read = 1U << 21;
size_t page_stacks_shown = 1U << 18;

/**
 * struct pruned_part - a tree that is to be pruned
 * @data:	the page, with the points
 * @tree:	the tree
 * @from:	number of the first recording with points in @tree
 * @to:		number after the last one
 */
struct pruned_part {
	struct page_data *data;
	struct tree *tree;
	u32	from;
	u32	to;
};

static bool has_point(const struct pruned_part *part, const struct point *point)
{
	return point->run >= part->from && point->run < part->to;
}

/* Return what nodes have of the samples themselves, or NULL. */
static double *find_shares(const struct pruned_part *part)
{
	const struct points *points = &part->data->points;
	const struct page_run *runs = part->data->runs;
	double *shares = calloc(part->tree->nr, sizeof(*shares));
	const struct point *point;
	size_t i;

	for (i = 0; shares && i < points->nr; i++) {
		point = &points->list[i];
		if (has_point(part, point))
			shares[point->stack] += (double)point->samples /
						runs[point->run].nr_of_event[point->event];
	}
	return shares;
}

static void move_points(const struct pruned_part *part, const u32 *moved)
{
	struct points *points = &part->data->points;
	size_t i;

	for (i = 0; i < points->nr; i++) {
		if (has_point(part, &points->list[i]))
			points->list[i].stack = moved[points->list[i].stack];
	}
}

/* Keep @most stacks, by tree_prune() or tree_prune_last(). Return 0 or -ENOMEM. */
static int prune(const struct pruned_part *part, size_t most,
		 int (*prune_tree)(struct tree *tree, double *shares, size_t most, u32 *moved))
{
	double *shares = find_shares(part);
	u32 *moved = calloc(part->tree->nr, sizeof(*moved));
	int err = -ENOMEM;

	if (shares && moved)
		err = prune_tree(part->tree, shares, most, moved);
	if (!err)
		move_points(part, moved);
	free(shares);
	free(moved);
	return err;
}

/* What stacks missed when they were folded is a smaller share now: there are more samples. */
void page_prune_scale(struct page_run *run)
{
	double scale = 0, ratio;
	size_t i;

	for (i = 0; i < READER_MAX_EVENTS; i++) {
		ratio = run->nr_at_prune[i] ? (double)run->nr_at_prune[i] / run->nr_of_event[i] : 0;
		scale = ratio > scale ? ratio : scale;
		run->nr_at_prune[i] = run->nr_of_event[i];
	}
	tree_scale_missed(&run->tree, scale);
}

static int prune_run(struct page_data *data, struct page_run *run, size_t most)
{
	u32 number = run - data->runs;
	const struct pruned_part part = { data, &run->tree, number, number + 1 };

	page_prune_scale(run);
	return prune(&part, most, tree_prune);
}

/*
 * Fold stacks of a recording until there are fewer points: with fewer stacks, more points are
 * equal. Return 0, -ENOMEM, or -E2BIG if that does not help.
 */
static int prune_points(struct page_data *data, struct page_run *run)
{
	struct points *points = &data->points;
	size_t before;
	int err = 0;

	while (!err && points->nr > points->most / 4 * 3) {
		before = run->tree.nr;
		err = prune_run(data, run, before / 4);
		points_settle(points);
		if (!err && run->tree.nr == before)
			return -E2BIG;
	}
	return err;
}

/*
 * Make room for a sample of @run. This may change the numbers of stacks. Return 0, -ENOMEM,
 * or -E2BIG if there are too many points.
 */
int page_prune_read(struct page_data *data, struct page_run *run)
{
	int err = 0;

	if (run->tree.nr >= page_stacks_read)
		err = prune_run(data, run, page_stacks_read / 4);
	if (err || data->points.nr < data->points.most)
		return err;
	err = points_make_room(&data->points);
	return err == -E2BIG ? prune_points(data, run) : err;
}

/*
 * Leave out the functions that no node has any more: a search takes time for each. No node
 * can be added afterwards, as the table has the old numbers.
 */
static int drop_functions(struct page_data *data)
{
	u32 *numbers = calloc(data->nr_functions + 1, sizeof(*numbers)), nr = 0;
	struct tree_node *nodes = data->tree->nodes;
	size_t i;

	if (!numbers)
		return -ENOMEM;
	for (i = 1; i < data->tree->nr; i++) {
		if (nodes[i].function != TREE_SMALL)
			numbers[nodes[i].function] = 1;
	}
	for (i = 0; i < data->nr_functions; i++) {
		if (!numbers[i])
			continue;
		data->functions[nr] = data->functions[i];
		numbers[i] = nr++;
	}
	data->nr_functions = nr;
	for (i = 1; i < data->tree->nr; i++) {
		if (nodes[i].function != TREE_SMALL)
			nodes[i].function = numbers[nodes[i].function];
	}
	free(numbers);
	return 0;
}

/* Fold stacks of the whole page. Return 0 or -ENOMEM. */
int page_prune_shown(struct page_data *data)
{
	const struct pruned_part part = { data, data->tree, 0, data->nr_runs };
	size_t nr = data->tree->nr;
	int err;

	if (nr <= page_stacks_shown && !data->tree->missed)
		return 0;
	err = prune(&part, nr > page_stacks_shown ? page_stacks_shown / 2 : nr, tree_prune_last);
	return err ? err : drop_functions(data);
}
