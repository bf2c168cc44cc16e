/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - a tree of call paths as a page: each level is a line of boxes, without a terminal
 *
 * A box is a node of the tree. It is as wide as its share, and the boxes of the functions that it
 * calls are below it. Boxes that are too narrow for a letter are one box, with their number. The
 * cursor is in a box: the one in the line of the cursor that has, or is nearest to, a column.
 */
#ifndef TPROF_FLAME_VIEW_H
#define TPROF_FLAME_VIEW_H

#include "profile/call_tree.h"
#include "view/page.h"

/* Narrower boxes are put together. */
#define FLAME_LEAST	2

/**
 * struct flame_box - a box
 * @node:	its node; for several boxes in one, the first of them
 * @nr:		number of nodes
 * @period:	sum of their periods
 * @x:		first column
 * @width:	number of columns
 */
struct flame_box {
	const struct call_node *node;
	u32	nr;
	u64	period;
	u32	x;
	u32	width;
};

/**
 * struct flame_view - a tree; set up by flame_view_init()
 * @page:	the page; its rows are levels
 * @title:	first line of the head
 * @root:	the tree
 * @zooms:	the nodes that were zoomed into; the last one is as wide as the line
 * @nr_zooms:	number of @zooms
 * @zoom_room:	capacity of @zooms
 * @boxes:	the boxes of all levels
 * @nr:		number of @boxes
 * @room:	capacity of @boxes
 * @levels:	for each level, the index of its first box; behind the last level, @nr
 * @level_room:	capacity of @levels
 * @width:	width of the lines that @boxes are for
 * @column:	the column of the cursor
 */
struct flame_view {
	struct page page;
	char	title[256];
	const struct call_node *root;
	const struct call_node **zooms;
	size_t	nr_zooms;
	size_t	zoom_room;
	struct flame_box *boxes;
	size_t	nr;
	size_t	room;
	size_t	*levels;
	size_t	level_room;
	u32	width;
	u32	column;
};

int flame_view_init(struct flame_view *view, const struct call_node *root);
const struct flame_box *flame_view_box(const struct flame_view *view);
void flame_view_free(struct flame_view *view);

#endif /* TPROF_FLAME_VIEW_H */
