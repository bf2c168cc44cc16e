// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the lines of a table
 *
 * A row without a sign of its call tree is the line that `report --stdio` prints. Names that are
 * too long for the window are shortened, unless the window was scrolled to the right.
 */
#include <stdio.h>
#include <string.h>

#include "base/printable.h"
#include "profile/cells.h"
#include "view/short_name.h"
#include "view/table_draw.h"
#include "view/table_rows.h"

/* Width of a column of percentages if there is room, as in report --stdio. */
#define PERCENT_WIDTH	8
#define INDENT		2
/* Blanks between columns. */
#define GAP		2

/**
 * struct cell_text - the text of a cell
 * @mark:	what precedes the text, or ""
 * @text:	the text
 * @buf:	memory for it
 */
struct cell_text {
	const char *mark;
	const char *text;
	char	buf[COLUMN_TEXT_LEN];
};

static void get_cell(const struct table_view *view, const struct profile_entry *entry, size_t at,
		     struct cell_text *cell)
{
	const struct column *column = view->options.columns[at];
	u64 value = profile_value(view->profile, entry, column);

	cell->mark = column->mark ? column->mark(value) : "";
	cell->text = printable(profile_cell(view->profile, column, value, cell->buf,
					    sizeof(cell->buf)));
}

static bool is_last(const struct table_view *view, size_t at)
{
	return at + 1 == view->options.nr_columns;
}

static void widen(struct table_view *view, const struct item *item)
{
	struct profile_entry entry = entries_at(&view->profile->entries, item->entry);
	struct cell_text cell;
	u32 width;
	size_t i;

	for (i = 0; i < view->options.nr_columns; i++) {
		get_cell(view, &entry, i, &cell);
		width = text_columns(cell.mark) + text_columns(cell.text);
		if (width > view->fits[i].wants)
			view->fits[i].wants = width;
	}
}

/* Return true if names are not shortened in a line. Call this before anything is put into it. */
static bool is_whole(const struct table_view *view, const struct line *line)
{
	return view->options.whole_names || line->skip;
}

/* Return the width of column @at. */
static u32 width_of(const struct table_view *view, size_t at, bool whole)
{
	const struct fit *fit = &view->fits[at];

	if (!whole)
		return fit->width;
	return fit->wants > fit->title ? fit->wants : fit->title;
}

static u32 title_width(const struct column *column)
{
	u32 width = strlen(column->title);

	return column->kind == COLUMN_PERCENT && width < PERCENT_WIDTH ? PERCENT_WIDTH : width;
}

/* Widen the columns for the rows in the window. */
void table_draw_measure(struct page *page, u32 width)
{
	struct table_view *view = table_of(page);
	size_t at = page->scroll.top, end = at + page->scroll.height, nr, i;
	u32 gaps;

	nr = view->options.nr_columns;
	if (view->width != width)
		memset(view->fits, 0, sizeof(view->fits));
	view->width = width;
	for (i = 0; i < nr; i++) {
		view->fits[i].is_text = view->options.columns[i]->kind == COLUMN_TEXT;
		view->fits[i].title = title_width(view->options.columns[i]);
	}
	for (; at < view->items.nr && at < end; at++) {
		if (!view->items.list[at].node)
			widen(view, &view->items.list[at]);
	}
	gaps = GAP * nr;
	fit_columns(view->fits, nr, columns_symbol(view->options.columns, nr),
		    width > gaps ? width - gaps : 0);
}

/* Append a text that is aligned to the left in @width columns. Return its columns. */
static u32 put_text(struct line *line, const struct cell_text *cell, u32 width)
{
	u32 mark = text_columns(cell->mark);
	char buf[SHORT_NAME_LEN];
	const char *text = short_name(cell->text, width > mark ? width - mark : 0, buf);

	line_put(line, cell->mark);
	line_put(line, text);
	return mark + text_columns(text);
}

static void put_number(struct line *line, const char *text, u32 width, double heat)
{
	u32 columns = text_columns(text);

	line_fill(line, columns < width ? width - columns : 0);
	if (heat >= 0)
		line_heat(line, text, heat);
	else
		line_put(line, text);
}

/* Append the columns of an entry. */
static void put_entry(const struct table_view *view, const struct item *item, struct line *line)
{
	struct profile_entry entry = entries_at(&view->profile->entries, item->entry);
	double heat = profile_share(table_leading_value(view, &entry), view->profile->period);
	bool whole = is_whole(view, line);
	const struct column *column;
	struct cell_text cell;
	u32 width, used;
	size_t i;

	for (i = 0; i < view->options.nr_columns; i++) {
		column = view->options.columns[i];
		width = width_of(view, i, whole);
		get_cell(view, &entry, i, &cell);
		line_put(line, i ? "  " : "");
		if (column->kind != COLUMN_TEXT) {
			put_number(line, cell.text, width,
				   column->kind == COLUMN_PERCENT ? heat : -1);
			heat = column->kind == COLUMN_PERCENT ? -1 : heat;
			continue;
		}
		used = put_text(line, &cell, width);
		if (!is_last(view, i))
			line_fill(line, width > used ? width - used : 0);
	}
}

/* Make row @at: a sign, and the columns of an entry or the share and the name of a node. */
void table_draw_row(struct page *page, size_t at, struct line *line)
{
	const struct table_view *view = table_of(page);
	const struct item *item = &view->items.list[at];
	char name[COLUMN_TEXT_LEN], shortened[SHORT_NAME_LEN], percent[32];
	bool whole = is_whole(view, line);
	const char *text;
	double share;

	if (item->node)
		line_fill(line, INDENT * (item->depth + 1));
	line_put(line, item->is_open ? "- " : view->options.trees_later ||
		 item_tree(view->profile, item) ? "+ " : "  ");
	if (!item->node) {
		put_entry(view, item, line);
		return;
	}
	share = profile_share(item->node->period, view->profile->period);
	snprintf(percent, sizeof(percent), "%.2f%%", share);
	put_number(line, percent, PERCENT_WIDTH, share);
	line_put(line, "  ");
	text = printable(symbol_key_text(item->node->key, name, sizeof(name)));
	line_put(line, whole ? text : short_name(text, line->width - line->columns, shortened));
}

/* Name the columns. */
static void put_titles(const struct table_view *view, struct line *line)
{
	bool whole = is_whole(view, line);
	const struct column *column;
	char title[32];
	size_t i;
	u32 width;

	line_put(line, "  ");
	for (i = 0; i < view->options.nr_columns; i++) {
		column = view->options.columns[i];
		width = width_of(view, i, whole);
		line_put(line, i ? "  " : "");
		snprintf(title, sizeof(title), "%.*s", (int)width, column->title);
		if (column->kind != COLUMN_TEXT)
			put_number(line, title, width, -1);
		else if (is_last(view, i))
			line_put(line, title);
		else
			line_printf(line, "%-*s", (int)width, title);
	}
	line->style = LINE_HEADING;
}

/* Say how many lines there are, and which zooms and filters leave out the others. */
static void put_state(const struct table_view *view, struct line *line)
{
	char text[COLUMN_TEXT_LEN + 64];
	u32 i;

	line_printf(line, "%u of %u lines, %.2f%% of the samples", view->nr_shown,
		    view->profile->entries.nr, profile_share(view->shown, view->profile->period));
	if (view->sort)
		line_printf(line, ", sorted by %s", view->options.columns[view->sort - 1]->word);
	for (i = 0; i < view->zooms.nr; i++) {
		line_put(line, i ? " > " : ": ");
		line_put(line, zoom_text(&view->zooms.list[i], view->profile, text,
					 sizeof(text)));
	}
}

/* Make line @at of the head. */
void table_draw_head(struct page *page, u32 at, struct line *line)
{
	const struct table_view *view = table_of(page);

	if (at == 2) {
		put_titles(view, line);
		return;
	}
	if (at == 1) {
		put_state(view, line);
		return;
	}
	line_put(line, view->title);
	line->style = LINE_TITLE;
}
