// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - a text as a page with a cursor, without a terminal
 *
 * Percentages that a line begins with have their colours. Lines can have marks, which say when
 * they are shown and which of them is the hottest one.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "view/text_view.h"

static struct text_view *view_of(struct page *page)
{
	return container_of(page, struct text_view, page);
}

static const char *row_at(const struct text_view *view, size_t at)
{
	return view->text + view->lines[view->rows[at]];
}

/* Return the mark of line @line, or NULL. */
static const struct text_mark *mark_of(const struct text_view *view, size_t line)
{
	const struct text_mark *marks = (const struct text_mark *)view->marks.data;
	size_t nr = view->marks.len / sizeof(*marks), first = view->nr - nr;

	return nr && line >= first ? &marks[line - first] : NULL;
}

/* Return the percentage that a line begins with, such as "  12.34 ", or a negative number. */
static double heat_of(const char *line, size_t *len)
{
	const char *number = line + strspn(line, " ");
	char *end;
	double heat;

	if (number == line || *number < '0' || *number > '9')
		return -1;
	heat = strtod(number, &end);
	*len = end - line;
	return end - number >= 4 && end[-3] == '.' ? heat : -1;
}

static void head(struct page *page, u32 at, struct line *line)
{
	const struct text_view *view = view_of(page);

	if (at) {
		line_printf(line, "line %zu of %zu", page->scroll.nr ? page->scroll.cursor + 1 : 0,
			    page->scroll.nr);
		if (view->fold)
			line_printf(line, ": %s", view->folds[view->fold]);
		return;
	}
	line_put(line, view->title);
	line->style = LINE_TITLE;
}

static void measure(struct page *page, u32 width)
{
	(void)page;
	(void)width;
}

static void row(struct page *page, size_t at, struct line *line)
{
	const char *text = row_at(view_of(page), at);
	char share[64];
	double heat;
	size_t len;

	while ((heat = heat_of(text, &len)) >= 0 && len + 1 < sizeof(share)) {
		/* The hottest line has stars. */
		len += text[len] == '*';
		memcpy(share, text, len);
		share[len] = '\0';
		line_heat(line, share, heat);
		text += len;
	}
	line_put(line, text);
}

static bool matches(struct page *page, size_t at, const struct pattern *pattern)
{
	return pattern_matches(pattern, row_at(view_of(page), at));
}

/* List the lines that are shown, and find the hottest of them. */
static void make_rows(struct text_view *view)
{
	const struct text_mark *mark;
	size_t line, nr = 0;
	double most = 0;

	view->hottest = 0;
	for (line = 0; line < view->nr; line++) {
		mark = mark_of(view, line);
		if (mark && !(mark->folds & 1U << view->fold))
			continue;
		if (mark && mark->heat > most) {
			most = mark->heat;
			view->hottest = nr;
		}
		view->rows[nr++] = line;
	}
	scroll_resize(&view->page.scroll, nr, view->page.scroll.height);
}

/* Return the last row that is not below line @line. */
static size_t row_of(const struct text_view *view, size_t line)
{
	size_t at = view->page.scroll.nr;

	while (at && view->rows[at - 1] > line)
		at--;
	return at ? at - 1 : 0;
}

/* Show the lines of the next choice. The cursor stays in its line, or goes to the one above. */
static void change_fold(struct text_view *view, struct message *message)
{
	struct scroll *scroll = &view->page.scroll;
	size_t line = scroll->nr ? view->rows[scroll->cursor] : 0;

	if (view->nr_folds < 2) {
		message_set(message, 0, "no source lines here; they need debug information");
		return;
	}
	view->fold = (view->fold + 1) % view->nr_folds;
	make_rows(view);
	scroll_to(scroll, row_of(view, line));
}

static bool command(struct page *page, u32 number, struct message *message)
{
	struct text_view *view = view_of(page);

	if (number == VIEW_HOTTEST)
		scroll_to(&page->scroll, view->hottest);
	else if (number == VIEW_NEXT_FOLD)
		change_fold(view, message);
	else
		return false;
	return true;
}

static const char *name(struct page *page, char *buf, size_t len)
{
	(void)buf;
	(void)len;
	return view_of(page)->name;
}

static const struct page_ops text_ops = {
	.kind = VIEW_TEXT,
	.nr_heads = 2,
	.head = head,
	.measure = measure,
	.row = row,
	.matches = matches,
	.command = command,
	.name = name,
};

/* Split the text into lines. */
static void split(struct text_view *view, size_t len)
{
	size_t at = 0;
	char *end;

	while (at < len) {
		view->lines[view->nr++] = at;
		end = memchr(view->text + at, '\n', len - at);
		at = end ? (size_t)(end + 1 - view->text) : len;
		if (end)
			*end = '\0';
	}
}

static size_t count_lines(const char *text, size_t len)
{
	size_t i, nr = 1;

	for (i = 0; i < len; i++)
		nr += text[i] == '\n';
	return nr;
}

/*
 * Show a text of @len bytes, which are printable() lines and a NUL after them. The view owns
 * @text, which is from malloc(3). Call text_view_free() even if this fails.
 */
int text_view_init(struct text_view *view, char *text, size_t len)
{
	size_t nr = count_lines(text, len);

	*view = (struct text_view){ .page.ops = &text_ops, .page.scroll.height = 1, .text = text };
	view->lines = calloc(nr, sizeof(*view->lines));
	view->rows = calloc(nr, sizeof(*view->rows));
	if (!view->lines || !view->rows)
		return -ENOMEM;
	split(view, len);
	make_rows(view);
	return 0;
}

/*
 * Mark the last lines, so that the user can choose which lines are shown.
 *
 * @marks: a struct text_mark for each of them, which the view takes
 * @folds: see struct text_view; must stay valid until text_view_free()
 */
void text_view_mark(struct text_view *view, struct bytes *marks, const char *const *folds,
		    u32 nr_folds)
{
	view->marks = *marks;
	*marks = (struct bytes){ 0 };
	view->folds = folds;
	view->nr_folds = nr_folds;
	make_rows(view);
}

void text_view_free(struct text_view *view)
{
	free(view->text);
	free(view->lines);
	free(view->rows);
	bytes_free(&view->marks);
	free(view->name);
	*view = (struct text_view){ 0 };
}
