// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - tables and texts to walk through by keys, without a terminal
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/printable.h"
#include "view/browser.h"
#include "view/help.h"

/* The smallest screen that is drawn: a head, two rows and a foot. */
#define LEAST_HEIGHT	6
#define SCROLL_STEP	8

/* Set up a browser. The caller owns the tables. */
void browser_init(struct browser *browser, struct page **tables, size_t nr_tables)
{
	static const struct browser_calls none;

	*browser = (struct browser){ .calls = &none, .tables = tables, .nr_tables = nr_tables };
	browser_resize(browser, 80, 24);
}

/* Return the page that is shown. */
struct page *browser_page(struct browser *browser)
{
	return browser->nr_pages ? browser->pages[browser->nr_pages - 1] :
				   browser->tables[browser->table];
}

/* Fit the window of the page into the screen: it has all lines but the head and the foot. */
static void fit(struct browser *browser)
{
	struct page *page = browser_page(browser);
	u32 others = page->ops->nr_heads + 1;

	scroll_resize(&page->scroll, page->scroll.nr,
		      browser->height > others ? browser->height - others : 1);
}

void browser_resize(struct browser *browser, u32 width, u32 height)
{
	browser->width = width;
	browser->height = height;
	fit(browser);
}

/* Show a page above the current one. Return false if there is no room; then free it. */
bool browser_open(struct browser *browser, struct page *page)
{
	if (browser->nr_pages == BROWSER_DEPTH)
		return false;
	browser->pages[browser->nr_pages++] = page;
	browser->skip = 0;
	fit(browser);
	return true;
}

/* Leave the page, unless it is the table. */
static void leave(struct browser *browser)
{
	if (!browser->nr_pages) {
		message_set(&browser->message, 0, "this is the first page; press q to quit");
		return;
	}
	browser->nr_pages--;
	browser->skip = 0;
	fit(browser);
}

/* Move the cursor to the next row that matches, in the direction @step, which is 1 or -1. */
static void find(struct browser *browser, int step)
{
	struct page *page = browser_page(browser);
	size_t nr = page->scroll.nr, at = page->scroll.cursor, i;

	for (i = 0; i < nr; i++) {
		at = step > 0 ? (at + 1) % nr : (at + nr - 1) % nr;
		if (!page->ops->matches(page, at, &browser->find))
			continue;
		scroll_to(&page->scroll, at);
		return;
	}
	message_set(&browser->message, 0, "no line here has '%s'", browser->find.text);
}

static void ask(struct browser *browser, enum browser_prompt prompt)
{
	browser->prompt = prompt;
	browser->typed[0] = '\0';
}

static void show_event(struct browser *browser, size_t step)
{
	if (browser->nr_tables == 1)
		message_set(&browser->message, 0, "the recording has samples of one event only");
	browser->table = (browser->table + step) % browser->nr_tables;
	fit(browser);
}

static void copy(struct browser *browser)
{
	struct page *page = browser_page(browser);
	char buf[512];
	const char *name = page->ops->name(page, buf, sizeof(buf));

	if (!name || !browser->calls->copy) {
		message_set(&browser->message, 0, "this line has no name for the clipboard");
		return;
	}
	name = printable(name);
	browser->calls->copy(browser->arg, name);
	message_set(&browser->message, 0, "copied: %s", name);
}

static void annotate(struct browser *browser)
{
	if (browser->calls->annotate)
		browser->calls->annotate(browser, browser->arg);
	else
		message_set(&browser->message, 0, "there are no instructions to show here");
}

static void show_flames(struct browser *browser)
{
	if (browser->calls->flames)
		browser->calls->flames(browser, browser->arg);
	else
		message_set(&browser->message, 0, "there are no call paths to show here");
}

static void open_help(struct browser *browser)
{
	const struct page *page = browser_page(browser);

	if (page == &browser->help.page)
		return;
	text_view_free(&browser->help);
	if (help_make(&browser->help, browser->calls->own_keys, page->ops->kind) ||
	    !browser_open(browser, &browser->help.page))
		message_set(&browser->message, 0, "there is no room for the help; press Esc first");
}

/* Carry out a command that is not one of a page. */
static void run(struct browser *browser, u32 command)
{
	switch (command) {
	case VIEW_SCROLL_LEFT:
		browser->skip -= browser->skip < SCROLL_STEP ? browser->skip : SCROLL_STEP;
		break;
	case VIEW_SCROLL_RIGHT:
		browser->skip += SCROLL_STEP;
		break;
	case VIEW_BACK:
		leave(browser);
		break;
	case VIEW_FILTER:
		ask(browser, PROMPT_FILTER);
		break;
	case VIEW_FIND:
		ask(browser, PROMPT_FIND);
		break;
	case VIEW_FIND_NEXT:
	case VIEW_FIND_PREVIOUS:
		if (browser->find.text[0])
			find(browser, command == VIEW_FIND_NEXT ? 1 : -1);
		else
			ask(browser, PROMPT_FIND);
		break;
	case VIEW_NEXT_EVENT:
		show_event(browser, 1);
		break;
	case VIEW_PREVIOUS_EVENT:
		show_event(browser, browser->nr_tables - 1);
		break;
	case VIEW_ANNOTATE:
		annotate(browser);
		break;
	case VIEW_FLAMES:
		show_flames(browser);
		break;
	case VIEW_COPY:
		copy(browser);
		break;
	case VIEW_REDRAW:
		browser->redraws = true;
		break;
	case VIEW_HELP:
		open_help(browser);
		break;
	case VIEW_QUIT:
		browser->quits = true;
		break;
	}
}

static bool opens_tree(u32 command)
{
	return command == VIEW_EXPAND || command == VIEW_EXPAND_ALL;
}

static void carry_out(struct browser *browser, u32 key)
{
	struct page *page = browser_page(browser);
	const struct key_row *row = view_key_find(browser->calls->own_keys, key, page->ops->kind);

	if (row && browser->calls->own) {
		browser->calls->own(browser, browser->arg, row->command);
		fit(browser);
		return;
	}
	row = view_key_find(view_keys, key, page->ops->kind);
	if (row && opens_tree(row->command) && browser->calls->trees)
		browser->calls->trees(browser, browser->arg);
	/* The program may have said why there are no trees. */
	if (browser->message.text[0])
		return;
	if (!row)
		message_set(&browser->message, 0, "this key does nothing here; press h for help");
	else if (!scroll_move(&page->scroll, row->command) &&
		 !page->ops->command(page, row->command, &browser->message))
		run(browser, row->command);
}

/* Do what was asked for, with the text that was typed. */
static void answer(struct browser *browser)
{
	struct page *page = browser_page(browser);
	enum browser_prompt prompt = browser->prompt;

	browser->prompt = PROMPT_NONE;
	if (!browser->typed[0])
		return;
	if (prompt == PROMPT_FIND) {
		pattern_set(&browser->find, browser->typed);
		find(browser, 1);
		return;
	}
	page->ops->filter(page, browser->typed, &browser->message);
	fit(browser);
}

/* Append a character in UTF-8, if there is room. */
static void append(char *text, size_t room, u32 code)
{
	size_t len = strlen(text);
	int extra = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;

	if (len + extra + 2 > room)
		return;
	if (!extra) {
		text[len++] = code;
	} else {
		text[len++] = (0xf00 >> (extra + 1) & 0xff) | code >> 6 * extra;
		while (extra--)
			text[len++] = 0x80 | (code >> 6 * extra & 0x3f);
	}
	text[len] = '\0';
}

/* Remove the last character of a text. */
static void shorten(char *text)
{
	size_t len = strlen(text);

	while (len && (text[len - 1] & 0xc0) == 0x80)
		len--;
	text[len ? len - 1 : 0] = '\0';
}

/* Take a key that is typed after a prompt. */
static void type_key(struct browser *browser, u32 key)
{
	switch (key) {
	case VIEW_KEY_ENTER:
		answer(browser);
		break;
	case VIEW_KEY_ESC:
		browser->prompt = PROMPT_NONE;
		break;
	case VIEW_KEY_BACKSPACE:
		shorten(browser->typed);
		break;
	case VIEW_KEY_CTRL_U:
		browser->typed[0] = '\0';
		break;
	default:
		if (key >= ' ' && key < VIEW_KEY_UP)
			append(browser->typed, sizeof(browser->typed), key);
	}
}

/* Do what a key means. */
void browser_key(struct browser *browser, u32 key)
{
	browser->message.text[0] = '\0';
	if (browser->prompt)
		type_key(browser, key);
	else
		carry_out(browser, key);
}

static void put_foot(struct browser *browser, struct line *line)
{
	struct page *page = browser_page(browser);

	line->style = LINE_FOOT;
	if (browser->prompt)
		line_printf(line, "%s: %s_   (Enter: %s, Esc: cancel)",
			    browser->prompt == PROMPT_FILTER ? "filter" : "find",
			    printable(browser->typed),
			    browser->prompt == PROMPT_FILTER ? "filter" : "find");
	else if (browser->message.text[0])
		line_put(line, browser->message.text);
	else if (page->ops->foot)
		page->ops->foot(page, line);
	else if (browser->nr_pages)
		line_put(line, "h: help   Esc: back   q: quit");
	else
		line_put(line,
			 "h: help   Enter: call tree   /: filter   a: instructions   q: quit");
}

/* Make line @y of the screen. Make line 0 first: it chooses the widths of columns. */
void browser_line(struct browser *browser, u32 y, struct line *line)
{
	struct page *page = browser_page(browser);
	u32 heads = page->ops->nr_heads;
	size_t at = page->scroll.top + y - heads;

	/* Only rows and the names of columns are scrolled to the side. */
	line_start(line, browser->width, y + 1 < heads || y + 1 == browser->height ? 0 :
					 browser->skip);
	if (browser->height < LEAST_HEIGHT) {
		line_put(line, y ? "" : "enlarge this window");
		return;
	}
	if (!y)
		page->ops->measure(page, browser->width);
	if (y + 1 == browser->height) {
		put_foot(browser, line);
	} else if (y < heads) {
		page->ops->head(page, y, line);
	} else if (at < page->scroll.nr) {
		page->ops->row(page, at, line);
		if (at == page->scroll.cursor && !page->ops->draws_cursor)
			line->style = LINE_CURSOR;
	}
}

void browser_free(struct browser *browser)
{
	text_view_free(&browser->help);
	pattern_free(&browser->find);
}
