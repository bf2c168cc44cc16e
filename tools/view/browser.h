/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - tables and texts to walk through by keys, without a terminal
 *
 * The browser has a table for each event, and a stack of pages above the table that is
 * shown. A screen gives it keys and draws its lines; so does a test.
 *
 * A page knows its rows by the keys of their entries (items.h), so the cursor, open rows,
 * zooms and filters (zooms.h) stay when the data are replaced. Only the lines in the window
 * are formatted, by the code that formats them for --stdio (profile/cells.h).
 */
#ifndef TPROF_BROWSER_H
#define TPROF_BROWSER_H

#include "view/page.h"
#include "view/text_view.h"

/* Pages above a table: a text, and the help. */
#define BROWSER_DEPTH	4

struct browser;

/**
 * struct browser_calls - what a browser asks of the program; each member may be NULL
 * @annotate:	opens a page about the row with the cursor, by browser_open()
 * @flames:	opens a page of all call paths, by browser_open()
 * @trees:	called before a call tree is opened: gathers the trees if there are none yet
 * @copy:	puts a name into the clipboard
 * @own_keys:	the program's own keys, which come before view_keys; their commands are
 *		numbers from VIEW_OWN
 * @own:	carries out one of these commands
 */
struct browser_calls {
	void	(*annotate)(struct browser *browser, void *arg);
	void	(*flames)(struct browser *browser, void *arg);
	void	(*trees)(struct browser *browser, void *arg);
	void	(*copy)(void *arg, const char *name);
	const struct key_row *own_keys;
	void	(*own)(struct browser *browser, void *arg, u32 command);
};

enum browser_prompt {
	PROMPT_NONE,
	PROMPT_FILTER,
	PROMPT_FIND,
};

/**
 * struct browser - the state; set up by browser_init()
 * @calls:	what the program does
 * @arg:	argument of @calls
 * @tables:	the table of each event
 * @nr_tables:	number of @tables
 * @table:	index of the table that is shown
 * @pages:	pages above that table, the last one is shown
 * @nr_pages:	number of @pages
 * @help:	the page of help
 * @width:	columns of the screen
 * @height:	lines of the screen
 * @skip:	columns that are scrolled out at the left
 * @prompt:	what the user types
 * @typed:	what was typed so far
 * @find:	what was searched for last
 * @message:	what to say in the last line
 * @quits:	the user wants to quit
 * @redraws:	the screen must be drawn from scratch; the screen clears it
 */
struct browser {
	const struct browser_calls *calls;
	void	*arg;
	struct page **tables;
	size_t	nr_tables;
	size_t	table;
	struct page *pages[BROWSER_DEPTH];
	u32	nr_pages;
	struct text_view help;
	u32	width;
	u32	height;
	u32	skip;
	enum browser_prompt prompt;
	char	typed[PATTERN_LEN];
	struct pattern find;
	struct message message;
	bool	quits;
	bool	redraws;
};

void browser_init(struct browser *browser, struct page **tables, size_t nr_tables);
void browser_resize(struct browser *browser, u32 width, u32 height);
struct page *browser_page(struct browser *browser);
bool browser_open(struct browser *browser, struct page *page);
void browser_key(struct browser *browser, u32 key);
void browser_line(struct browser *browser, u32 y, struct line *line);
void browser_free(struct browser *browser);

#endif /* TPROF_BROWSER_H */
