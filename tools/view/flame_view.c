// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - a tree of call paths as a page: each level is a line of boxes, without a terminal
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/printable.h"
#include "profile/cells.h"
#include "view/flame_view.h"

#define FIRST_WIDTH	80

static struct flame_view *view_of(struct page *page)
{
	return container_of(page, struct flame_view, page);
}

static const struct call_node *zoom_of(const struct flame_view *view)
{
	return view->nr_zooms ? view->zooms[view->nr_zooms - 1] : view->root;
}

static size_t nr_levels(const struct flame_view *view)
{
	return view->page.scroll.nr;
}

static const char *name_of(const struct call_node *node)
{
	return !node->parent ? "all" : node->key ? (const char *)(uintptr_t)node->key :
						   "[all threads]";
}

static int add_box(struct flame_view *view, const struct flame_box *box)
{
	struct flame_box *boxes = array_grow(view->boxes, view->nr, &view->room, sizeof(*boxes));

	if (!boxes)
		return -ENOMEM;
	view->boxes = boxes;
	boxes[view->nr++] = *box;
	return 0;
}

/* Return the column at which the first @part of the period of @box ends. */
static u32 column_of(const struct flame_box *box, u64 part)
{
	return box->x + (u32)((double)box->width * part / box->period + 0.5);
}

/* Add the boxes below @box. The children are sorted, so the narrow ones are the last. */
static int add_children(struct flame_view *view, const struct flame_box *box)
{
	const struct call_node *node = box->node->first;
	struct flame_box below = { 0 };
	u64 sum = 0;
	int err = 0;

	for (; node && node->period && !err; node = node->next) {
		below = (struct flame_box){ .node = node, .nr = 1, .period = node->period,
					    .x = column_of(box, sum) };
		sum += node->period;
		below.width = column_of(box, sum) - below.x;
		if (below.width < FLAME_LEAST)
			break;
		err = add_box(view, &below);
	}
	if (err || !node || !node->period)
		return err;
	while ((node = node->next) && node->period) {
		below.nr++;
		below.period += node->period;
		sum += node->period;
	}
	below.width = column_of(box, sum) - below.x;
	return below.width ? add_box(view, &below) : 0;
}

/* Add the boxes below those of the last level. */
static int add_level(struct flame_view *view, size_t first)
{
	size_t end = view->nr, i;
	struct flame_box box;
	int err = 0;

	for (i = first; i < end && !err; i++) {
		/* add_box() may move all boxes. */
		box = view->boxes[i];
		if (box.nr == 1 && box.width >= FLAME_LEAST)
			err = add_children(view, &box);
	}
	return err;
}

static int end_level(struct flame_view *view, size_t nr)
{
	size_t *levels = array_grow(view->levels, nr, &view->level_room, sizeof(*levels));

	if (!levels)
		return -ENOMEM;
	view->levels = levels;
	levels[nr] = view->nr;
	return 0;
}

/* Make all boxes for lines of @width columns. */
static int make_boxes(struct flame_view *view, u32 width)
{
	const struct call_node *zoom = zoom_of(view);
	const struct flame_box all = { zoom, 1, zoom->period, 0, width };
	size_t nr = 0, first;
	int err;

	view->nr = 0;
	view->width = width;
	err = end_level(view, 0);
	if (!err)
		err = add_box(view, &all);
	while (!err && view->nr > view->levels[nr]) {
		first = view->levels[nr];
		err = end_level(view, ++nr);
		if (!err)
			err = add_level(view, first);
	}
	scroll_resize(&view->page.scroll, err ? 0 : nr, view->page.scroll.height);
	return err;
}

static u32 distance(const struct flame_box *box, u32 column)
{
	if (column < box->x)
		return box->x - column;
	return column < box->x + box->width ? 0 : column + 1 - box->x - box->width;
}

/* Return the box of a level that has the column of the cursor, or the nearest one. */
static size_t box_at(const struct flame_view *view, size_t level)
{
	size_t best = view->levels[level], i;

	for (i = best + 1; i < view->levels[level + 1]; i++) {
		if (distance(&view->boxes[i], view->column) <
		    distance(&view->boxes[best], view->column))
			best = i;
	}
	return best;
}

/* Return the box with the cursor, or NULL if there is none. */
const struct flame_box *flame_view_box(const struct flame_view *view)
{
	return nr_levels(view) ? &view->boxes[box_at(view, view->page.scroll.cursor)] : NULL;
}

static double share_of(const struct flame_view *view, u64 period)
{
	return profile_share(period, view->root->period);
}

static void head(struct page *page, u32 at, struct line *line)
{
	const struct flame_view *view = view_of(page);
	const struct call_node *zoom = zoom_of(view);

	if (!at) {
		line_put(line, view->title);
		line->style = LINE_TITLE;
		return;
	}
	line_printf(line, "%zu level%s", nr_levels(view), nr_levels(view) == 1 ? "" : "s");
	if (zoom == view->root)
		return;
	line_printf(line, ", zoom: %.2f%% ", share_of(view, zoom->period));
	line_put(line, printable(name_of(zoom)));
}

static void measure(struct page *page, u32 width)
{
	struct flame_view *view = view_of(page);

	if (!width || view->width == width)
		return;
	/* The cursor stays in its box. */
	view->column = (u64)view->column * width / view->width;
	make_boxes(view, width);
}

static void put_box(const struct flame_view *view, const struct flame_box *box, bool is_cursor,
		    struct line *line)
{
	struct line text;

	line_start(&text, box->width, 0);
	if (box->nr > 1) {
		line_printf(&text, "+%u", box->nr);
		if (text.len > 1 && box->width <= text.len)
			line_start(&text, box->width, 0);
	} else {
		line_put(&text, "|");
		line_put(&text, printable(name_of(box->node)));
	}
	if (!text.len)
		line_put(&text, "+");
	line_fill(&text, box->width - text.columns);
	line_box(line, text.text, share_of(view, box->period), is_cursor);
}

static void row(struct page *page, size_t at, struct line *line)
{
	const struct flame_view *view = view_of(page);
	const struct flame_box *cursor = flame_view_box(view);
	size_t i;

	for (i = view->levels[at]; i < view->levels[at + 1]; i++) {
		line_fill(line, view->boxes[i].x - line->columns);
		put_box(view, &view->boxes[i], &view->boxes[i] == cursor, line);
	}
}

/* Describe the box with the cursor. */
static void foot(struct page *page, struct line *line)
{
	const struct flame_view *view = view_of(page);
	const struct flame_box *box = flame_view_box(view);
	u64 own;

	if (!box)
		return;
	if (box->nr > 1) {
		line_printf(line, "%.2f%% in %u narrow boxes", share_of(view, box->period),
			    box->nr);
		return;
	}
	own = call_node_own_period(box->node);
	line_printf(line, "%.2f%%, self %.2f%%  ", share_of(view, box->period),
		    share_of(view, own));
	line_put(line, printable(name_of(box->node)));
}

/* Put the cursor into the box that is @step boxes to the right. */
static void move(struct flame_view *view, int step)
{
	size_t level = view->page.scroll.cursor, at;

	if (!nr_levels(view))
		return;
	at = box_at(view, level) + step;
	if (at >= view->levels[level] && at < view->levels[level + 1])
		view->column = view->boxes[at].x + view->boxes[at].width / 2;
}

static void zoom_in(struct flame_view *view, struct message *message)
{
	const struct flame_box *box = flame_view_box(view);
	const struct call_node **zooms;

	if (box && box->nr > 1) {
		message_set(message, 0, "go up a line and zoom there to see these boxes");
		return;
	}
	if (!box || box->node == zoom_of(view))
		return;
	zooms = array_grow(view->zooms, view->nr_zooms, &view->zoom_room, sizeof(*zooms));
	if (!zooms) {
		page_no_memory(message);
		return;
	}
	view->zooms = zooms;
	zooms[view->nr_zooms++] = box->node;
	view->column = 0;
	if (make_boxes(view, view->width))
		page_no_memory(message);
	scroll_to(&view->page.scroll, 0);
}

/* Put the cursor into the box of a node, if it has one. */
static void go_to(struct flame_view *view, const struct call_node *node)
{
	size_t level, i;

	for (level = 0; level < nr_levels(view); level++) {
		for (i = view->levels[level]; i < view->levels[level + 1]; i++) {
			if (view->boxes[i].node != node)
				continue;
			view->column = view->boxes[i].x + view->boxes[i].width / 2;
			scroll_to(&view->page.scroll, level);
			return;
		}
	}
}

static void zoom_out(struct flame_view *view, struct message *message)
{
	const struct call_node *before = zoom_of(view);

	if (!view->nr_zooms) {
		message_set(message, 0, "all is shown; press Esc to leave this page");
		return;
	}
	view->nr_zooms--;
	if (make_boxes(view, view->width))
		page_no_memory(message);
	go_to(view, before);
}

static bool command(struct page *page, u32 number, struct message *message)
{
	struct flame_view *view = view_of(page);

	switch (number) {
	case VIEW_BOX_LEFT:
	case VIEW_BOX_RIGHT:
		move(view, number == VIEW_BOX_LEFT ? -1 : 1);
		return true;
	case VIEW_ZOOM_IN:
		zoom_in(view, message);
		return true;
	case VIEW_ZOOM_OUT:
		zoom_out(view, message);
		return true;
	default:
		return false;
	}
}

static const char *name(struct page *page, char *buf, size_t len)
{
	const struct flame_box *box = flame_view_box(view_of(page));

	(void)buf;
	(void)len;
	return box && box->nr == 1 ? name_of(box->node) : NULL;
}

static const struct page_ops flame_ops = {
	.kind = VIEW_FLAME,
	.nr_heads = 2,
	.draws_cursor = true,
	.head = head,
	.measure = measure,
	.row = row,
	.foot = foot,
	.command = command,
	.name = name,
};

/*
 * Show a tree of whole call paths, with gather_options.paths, which call_tree_sort() has sorted.
 * It must stay valid until flame_view_free(). Call that even if this fails.
 */
int flame_view_init(struct flame_view *view, const struct call_node *root)
{
	*view = (struct flame_view){ .page.ops = &flame_ops, .page.scroll.height = 1,
				     .root = root };
	return make_boxes(view, FIRST_WIDTH);
}

void flame_view_free(struct flame_view *view)
{
	free(view->zooms);
	free(view->boxes);
	free(view->levels);
	*view = (struct flame_view){ 0 };
}
