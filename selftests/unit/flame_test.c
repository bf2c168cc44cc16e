// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - call paths as boxes that a user walks through by keys
 */
#include <stdio.h>

#include "unit.h"
#include "view/flame_view.h"
#include "view_profile.h"

/* Lines of the screen above the levels. */
#define LEVELS	2
#define NARROW	10

static struct profile table, paths;
static struct flame_view flames;
static char narrow[NARROW][2];

static void add(const char *const *names, size_t nr, u64 samples)
{
	struct call_weight weight = { 10 * samples, samples };
	u64 keys[8];

	for (size_t i = 0; i < nr; i++)
		keys[i] = (uintptr_t)names[i];
	if (call_tree_add(&paths.trees, &paths.paths, keys, nr, &weight))
		abort();
}

#define ADD(samples, ...) add((const char *const[]){ __VA_ARGS__ },			\
			      sizeof((const char *[]){ __VA_ARGS__ }) / sizeof(char *), samples)

/* 100 samples, one for each column of the screen. */
static void make_paths(void)
{
	static const char other[] = "other", odd[] = "odd", wide[] = "wide", one[] = "one",
			  top[] = "main", hot[] = "hot", cold[] = "cold", leaf[] = "leaf";

	ADD(10, one, top, cold);
	ADD(20, one, top, hot);
	ADD(40, one, top, hot, leaf);
	ADD(20, other, odd, wide);
	for (int i = 0; i < NARROW; i++) {
		narrow[i][0] = 'a' + i;
		ADD(1, other, odd, narrow[i]);
	}
	call_tree_sort(&paths.paths);
}

static void begin(void)
{
	open_browser(&table, NULL);
	browser_resize(&browser, 100, 20);
	if (flame_view_init(&flames, &paths.paths) || !browser_open(&browser, &flames.page))
		abort();
	snprintf(flames.title, sizeof(flames.title), "title");
	line_of(0);
}

static void end(void)
{
	flame_view_free(&flames);
	close_browser();
}

/* Return the box with a name in level @level, or NULL. */
static const struct flame_box *find(size_t level, const char *name)
{
	for (size_t i = flames.levels[level]; i < flames.levels[level + 1]; i++) {
		if (!strcmp((const char *)(uintptr_t)flames.boxes[i].node->key, name))
			return &flames.boxes[i];
	}
	return NULL;
}

static bool is_box(size_t level, const char *name, u32 x, u32 width)
{
	const struct flame_box *box = find(level, name);

	return box && box->x == x && box->width == width;
}

/* Return the text of the part of line @y that is drawn as the cursor. */
static const char *cursor_box(u32 y)
{
	static char text[128];
	const struct line *line = line_of(y);

	for (u32 i = 0; i < line->nr_parts; i++) {
		if (!line->parts[i].is_cursor)
			continue;
		snprintf(text, sizeof(text), "%.*s", (int)line->parts[i].len,
			 line->text + line->parts[i].from);
		text[strcspn(text, " ")] = '\0';
		return text;
	}
	return "";
}

static void boxes_are_as_wide_as_their_shares(void)
{
	u32 sum = 0;

	begin();
	unit_ok(shows(0, "title") && shows(1, "5 levels"), "the head has the number of levels");
	unit_ok(is_box(1, "one", 0, 70) && is_box(1, "other", 70, 30) && is_box(2, "main", 0, 70) &&
		is_box(3, "hot", 0, 60) && is_box(3, "cold", 60, 10),
		"boxes are below their callers, the widest first");
	unit_ok(is_box(4, "leaf", 0, 40) && line_of(LEVELS + 4)->columns == 40,
		"nothing is below the own time of a function");
	for (size_t i = flames.levels[3]; i < flames.levels[4]; i++)
		sum += flames.boxes[i].width;
	unit_ok(sum == 100, "the widths of a level without own time add up to the line");
	unit_ok(line_of(LEVELS)->columns == 100 && has(LEVELS, "|all  ") &&
		has(LEVELS + 1, "|one  ") && has(LEVELS + 1, "  |other  "), "boxes have names");
	unit_ok(line_of(LEVELS + 3)->parts[0].heat == 60, "a box has the colour of its share");
	end();
}

static void narrow_boxes_are_counted(void)
{
	const struct flame_box *box;

	begin();
	box = &flames.boxes[flames.levels[4] - 1];
	unit_ok(box->nr == NARROW && box->x == 90 && box->width == NARROW &&
		box->period == 10 * NARROW && has(LEVELS + 3, "+10"),
		"boxes below two columns are one, with their number");
	browser_key(&browser, VIEW_KEY_END);
	browser_key(&browser, VIEW_KEY_UP);
	for (int i = 0; i < 3; i++)
		browser_key(&browser, VIEW_KEY_RIGHT);
	unit_ok(!strcmp(cursor_box(LEVELS + 3), "+10") && says("10.00% in 10 narrow boxes"),
		"the last line says how many they are");
	type("\n");
	unit_ok(says("go up a line and zoom there"), "they have no zoom");
	type("c");
	unit_ok(says("no name for the clipboard"), "they have no name");
	end();
}

static void cursor_is_in_a_box(void)
{
	begin();
	unit_ok(!strcmp(cursor_box(LEVELS), "|all") && line_of(LEVELS)->style == LINE_PLAIN &&
		says("100.00%, self 0.00%  all"), "the cursor is in the first box at first");
	type("jjj");
	unit_ok(!strcmp(cursor_box(LEVELS + 3), "|hot") && says("60.00%, self 20.00%  hot"),
		"the last line describes the box with the cursor");
	browser_key(&browser, VIEW_KEY_RIGHT);
	unit_ok(!strcmp(cursor_box(LEVELS + 3), "|cold"), "go to the right");
	type("k");
	unit_ok(!strcmp(cursor_box(LEVELS + 2), "|main"), "go up to the caller");
	type("j");
	browser_key(&browser, VIEW_KEY_LEFT);
	browser_key(&browser, VIEW_KEY_LEFT);
	unit_ok(!strcmp(cursor_box(LEVELS + 3), "|hot"), "the first box has none at its left");
	browser_resize(&browser, 50, 20);
	unit_ok(!strcmp(cursor_box(LEVELS + 3), "|hot") && find(3, "hot")->width == 30,
		"boxes fit into another screen");
	end();
}

static void zooms_lead_there_and_back(void)
{
	begin();
	type("z");
	unit_ok(says("all is shown"), "without a zoom, there is none to undo");
	type("j");
	browser_key(&browser, VIEW_KEY_RIGHT);
	type("\n");
	unit_ok(shows(1, "3 levels, zoom: 30.00% other") && has(LEVELS, "|other") &&
		line_of(LEVELS)->columns == 100, "a zoom makes the box as wide as the line");
	unit_ok(is_box(2, "wide", 0, 67) && find(2, narrow[NARROW - 1]) &&
		find(2, narrow[NARROW - 1])->nr == 1, "narrow boxes become wide ones");
	unit_ok(says("30.00%, self 0.00%  other"), "percentages still refer to all");
	type("jj\n");
	unit_ok(shows(1, "1 level, zoom: 20.00% wide"), "a zoom within a zoom");
	browser_key(&browser, VIEW_KEY_BACKSPACE);
	unit_ok(shows(1, "3 levels, zoom: 30.00% other") &&
		!strcmp(cursor_box(LEVELS + 2), "|wide"),
		"the way back leads to the same box");
	type("z");
	unit_ok(shows(1, "5 levels") && !strcmp(cursor_box(LEVELS + 1), "|other"), "all is shown");
	type("\x1b");
	unit_ok(!browser.nr_pages, "Esc leaves the page");
	end();
}

static void no_samples_have_no_boxes_below(void)
{
	struct call_node nothing = { 0 };

	open_browser(&table, NULL);
	unit_ok(!flame_view_init(&flames, &nothing) && browser_open(&browser, &flames.page) &&
		shows(1, "1 level") && says("0.00%, self 0.00%  all"), "a tree may be empty");
	end();
}

int main(void)
{
	make_columns();
	begin_profile(&table, "nmi");
	finish_profile(&table);
	make_paths();
	boxes_are_as_wide_as_their_shares();
	narrow_boxes_are_counted();
	cursor_is_in_a_box();
	zooms_lead_there_and_back();
	no_samples_have_no_boxes_below();
	profile_free(&table);
	profile_free(&paths);
	return unit_exit();
}
