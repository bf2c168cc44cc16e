// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - jumps inside a function, as arrows beside its instructions
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/sorted.h"
#include "code/arrows.h"

static int compare_numbers(u32 a, u32 b)
{
	return a < b ? -1 : a > b;
}

static int by_first(const void *a, const void *b)
{
	const struct arrow *x = a, *y = b;

	return x->first != y->first ? compare_numbers(x->first, y->first) :
				      compare_numbers(x->target, y->target);
}

static int by_lane(const void *a, const void *b)
{
	const struct arrow *x = a, *y = b;

	return x->lane != y->lane ? compare_numbers(x->lane, y->lane) : by_first(a, b);
}

/* Add the jump at index @at to the arrow to @target. */
static void add_jump(struct arrows *arrows, u32 at, u32 target)
{
	struct arrow *arrow;

	if (arrows->to[target] == NO_ARROW) {
		arrows->to[target] = arrows->nr;
		arrows->list[arrows->nr++] = (struct arrow){ target, target, target, 0 };
	}
	arrow = &arrows->list[arrows->to[target]];
	if (at < arrow->first)
		arrow->first = at;
	if (at > arrow->last)
		arrow->last = at;
}

/* Give each arrow the leftmost lane that is free where it begins. */
static void choose_lanes(struct arrows *arrows)
{
	u32 ends[ARROWS_LANES] = { 0 }, i, lane;
	struct arrow *arrow;

	qsort(arrows->list, arrows->nr, sizeof(*arrows->list), by_first);
	for (i = 0; i < arrows->nr; i++) {
		arrow = &arrows->list[i];
		for (lane = 0; lane < arrows->nr_lanes && ends[lane] >= arrow->first; lane++)
			;
		arrow->lane = lane;
		if (lane == ARROWS_LANES)
			continue;
		ends[lane] = arrow->last;
		if (lane == arrows->nr_lanes)
			arrows->nr_lanes++;
	}
	qsort(arrows->list, arrows->nr, sizeof(*arrows->list), by_lane);
}

/* Set arrows.lanes and arrows.to, after the arrows have moved in the list. */
static void index_arrows(struct arrows *arrows)
{
	u32 i, lane = 0;

	for (i = 0; i < arrows->nr; i++) {
		arrows->to[arrows->list[i].target] = i;
		while (lane < arrows->list[i].lane)
			arrows->lanes[++lane] = i;
	}
	while (lane < ARROWS_LANES)
		arrows->lanes[++lane] = arrows->nr;
}

/* Find the arrows of a function. Call arrows_free() even if this fails. */
int arrows_make(struct arrows *arrows, const struct instructions *all)
{
	u32 i, target;

	*arrows = (struct arrows){ 0 };
	arrows->list = calloc(all->nr + 1, sizeof(*arrows->list));
	arrows->from = calloc(all->nr + 1, sizeof(*arrows->from));
	arrows->to = calloc(all->nr + 1, sizeof(*arrows->to));
	if (!arrows->list || !arrows->from || !arrows->to)
		return -ENOMEM;
	memset(arrows->to, 0xff, all->nr * sizeof(*arrows->to));
	for (i = 0; i < all->nr; i++) {
		target = jump_target(all, &all->list[i]);
		if (target != NO_ARROW)
			add_jump(arrows, i, target);
	}
	choose_lanes(arrows);
	index_arrows(arrows);
	for (i = 0; i < all->nr; i++) {
		target = jump_target(all, &all->list[i]);
		arrows->from[i] = target != NO_ARROW ? arrows->to[target] : NO_ARROW;
	}
	return 0;
}

/* Return the last arrow of @lane that begins at or above instruction @at, or NULL. */
static const struct arrow *arrow_in(const struct arrows *arrows, u32 lane, u32 at)
{
	u32 begin = arrows->lanes[lane];
	size_t above = sorted_above(arrows->list, begin, arrows->lanes[lane + 1], first, at);

	return above > begin ? &arrows->list[above - 1] : NULL;
}

/* Draw the end of the arrow at index @which from its lane to the instruction. */
static void draw_end(const struct arrows *arrows, u32 which, char tip, char *text)
{
	u32 lane = which == NO_ARROW ? ARROWS_LANES : arrows->list[which].lane, at;

	if (lane == ARROWS_LANES)
		return;
	for (at = 2 * lane; at < 2 * arrows->nr_lanes; at++) {
		if (text[at] == ' ')
			text[at] = '-';
	}
	text[2 * lane] = '+';
	if (tip == '>' || text[2 * arrows->nr_lanes] == ' ')
		text[2 * arrows->nr_lanes] = tip;
}

/* Clear a text of arrows_draw(). */
static void draw_blanks(const struct arrows *arrows, char text[ARROWS_TEXT])
{
	memset(text, 0, ARROWS_TEXT);
	if (arrows->nr_lanes)
		memset(text, ' ', 2 * arrows->nr_lanes + 1);
}

/* Draw the arrows that are at instruction @first or before, and at @last or behind. */
static void draw_lanes(const struct arrows *arrows, u32 first, u32 last, char *text)
{
	const struct arrow *arrow;
	u32 lane;

	for (lane = 0; lane < arrows->nr_lanes; lane++) {
		arrow = arrow_in(arrows, lane, first);
		if (arrow && arrow->last >= last)
			text[2 * lane] = '|';
	}
}

/*
 * Draw what is left of instruction @at. The text is 2 * arrows.nr_lanes + 1 characters long, or
 * empty if the function has no arrows.
 */
void arrows_draw(const struct arrows *arrows, u32 at, char text[ARROWS_TEXT])
{
	draw_blanks(arrows, text);
	if (!arrows->nr_lanes)
		return;
	draw_lanes(arrows, at, at, text);
	draw_end(arrows, arrows->from[at], '-', text);
	draw_end(arrows, arrows->to[at], '>', text);
}

/* Same as arrows_draw(), for a line between instruction @at and the one before it. */
void arrows_draw_above(const struct arrows *arrows, u32 at, char text[ARROWS_TEXT])
{
	draw_blanks(arrows, text);
	if (at)
		draw_lanes(arrows, at - 1, at, text);
}

void arrows_free(struct arrows *arrows)
{
	free(arrows->list);
	free(arrows->from);
	free(arrows->to);
	*arrows = (struct arrows){ 0 };
}
