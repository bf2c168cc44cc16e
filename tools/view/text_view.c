// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - a text as a page with a cursor, without a terminal
 *
 * A line that begins with a percentage has its colour. The first line with the largest
 * one is the hottest line.
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

static const char *line_at(const struct text_view *view, size_t at)
{
	return view->text + view->lines[at];
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
	const char *text = line_at(view_of(page), at);
	char share[64];
	size_t len = 0;
	double heat = heat_of(text, &len);

	if (heat >= 0 && len < sizeof(share)) {
		memcpy(share, text, len);
		share[len] = '\0';
		line_heat(line, share, heat);
		text += len;
	}
	line_put(line, text);
}

static bool matches(struct page *page, size_t at, const struct pattern *pattern)
{
	return pattern_matches(pattern, line_at(view_of(page), at));
}

static bool command(struct page *page, u32 number, struct message *message)
{
	(void)message;
	if (number != VIEW_HOTTEST)
		return false;
	scroll_to(&page->scroll, view_of(page)->hottest);
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

/* Split the text into lines, and find the hottest one. */
static void split(struct text_view *view, size_t len)
{
	size_t at = 0, nr = 0, unused;
	double heat, most = 0;
	char *end;

	for (; at < len; nr++) {
		view->lines[nr] = at;
		end = memchr(view->text + at, '\n', len - at);
		at = end ? (size_t)(end + 1 - view->text) : len;
		if (end)
			*end = '\0';
		heat = heat_of(line_at(view, nr), &unused);
		if (heat <= most)
			continue;
		most = heat;
		view->hottest = nr;
	}
	view->page.scroll.nr = nr;
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
	*view = (struct text_view){ .page.ops = &text_ops, .page.scroll.height = 1, .text = text };
	view->lines = calloc(count_lines(text, len), sizeof(*view->lines));
	if (!view->lines)
		return -ENOMEM;
	split(view, len);
	return 0;
}

void text_view_free(struct text_view *view)
{
	free(view->text);
	free(view->lines);
	free(view->name);
	*view = (struct text_view){ 0 };
}
