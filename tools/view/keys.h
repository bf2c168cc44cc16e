/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the keys of a browser, and their commands
 *
 * One table has all keys. Commands are looked up in it, and the help lists it.
 */
#ifndef TPROF_VIEW_KEYS_H
#define TPROF_VIEW_KEYS_H

#include "base/types.h"

/* Keys of characters are their code points. Other keys have numbers above all of these. */
enum view_key {
	VIEW_KEY_ENTER = '\n',
	VIEW_KEY_TAB = '\t',
	VIEW_KEY_CTRL_L = 0x0c,
	VIEW_KEY_CTRL_U = 0x15,
	VIEW_KEY_ESC = 0x1b,
	VIEW_KEY_BACKSPACE = 0x7f,
	VIEW_KEY_UP = 0x110000,
	VIEW_KEY_DOWN,
	VIEW_KEY_LEFT,
	VIEW_KEY_RIGHT,
	VIEW_KEY_PAGE_UP,
	VIEW_KEY_PAGE_DOWN,
	VIEW_KEY_HOME,
	VIEW_KEY_END,
	VIEW_KEY_BACK_TAB,
};

enum view_command {
	VIEW_NONE,
	VIEW_UP,
	VIEW_DOWN,
	VIEW_PAGE_UP,
	VIEW_PAGE_DOWN,
	VIEW_HOME,
	VIEW_END,
	VIEW_SCROLL_LEFT,
	VIEW_SCROLL_RIGHT,
	VIEW_EXPAND,
	VIEW_FOLD,
	VIEW_EXPAND_ALL,
	VIEW_BACK,
	VIEW_FILTER,
	VIEW_FIND,
	VIEW_FIND_NEXT,
	VIEW_FIND_PREVIOUS,
	VIEW_SORT,
	VIEW_SORT_BACK,
	VIEW_ZOOM_THREAD,
	VIEW_ZOOM_PROCESS,
	VIEW_ZOOM_BINARY,
	VIEW_ZOOM_PARENT,
	VIEW_NEXT_EVENT,
	VIEW_PREVIOUS_EVENT,
	VIEW_ANNOTATE,
	VIEW_FLAMES,
	VIEW_BOX_LEFT,
	VIEW_BOX_RIGHT,
	VIEW_ZOOM_IN,
	VIEW_ZOOM_OUT,
	VIEW_HOTTEST,
	VIEW_NEXT_FOLD,
	VIEW_COPY,
	VIEW_REDRAW,
	VIEW_HELP,
	VIEW_QUIT,
	VIEW_OWN,	/* the first command of the program's own keys: see browser_calls.keys */
};

/* Kinds of pages, as bits of key_row.pages. */
#define VIEW_TABLE	1U
#define VIEW_TEXT	2U
#define VIEW_FLAME	4U
#define VIEW_LINES	(VIEW_TABLE | VIEW_TEXT)
#define VIEW_ALL	(VIEW_LINES | VIEW_FLAME)

#define KEYS_PER_ROW	4

/**
 * struct key_row - the keys of a command
 * @keys:	the keys; 0 after the last
 * @command:	an enum view_command, or a number from VIEW_OWN
 * @pages:	the kinds of pages with this command
 * @help:	a line of help
 */
struct key_row {
	u32	keys[KEYS_PER_ROW];
	u32	command;
	u32	pages;
	const char *help;
};

/* All keys. A row without a key ends the table. */
extern const struct key_row view_keys[];

const struct key_row *view_key_find(const struct key_row *rows, u32 key, u32 page);
const char *view_key_name(u32 key, char *buf, size_t len);

#endif /* TPROF_VIEW_KEYS_H */
