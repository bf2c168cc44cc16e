// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the keys of a browser, and their commands
 */
#include <stdio.h>

#include "view/keys.h"

const struct key_row view_keys[] = {
	{ { VIEW_KEY_UP, 'k' }, VIEW_UP, VIEW_ALL, "go up a line" },
	{ { VIEW_KEY_DOWN, 'j' }, VIEW_DOWN, VIEW_ALL, "go down a line" },
	{ { VIEW_KEY_PAGE_UP }, VIEW_PAGE_UP, VIEW_ALL, "go up a page" },
	{ { VIEW_KEY_PAGE_DOWN, ' ' }, VIEW_PAGE_DOWN, VIEW_ALL, "go down a page" },
	{ { VIEW_KEY_HOME, 'g' }, VIEW_HOME, VIEW_ALL, "go to the first line" },
	{ { VIEW_KEY_END, 'G' }, VIEW_END, VIEW_ALL, "go to the last line" },
	{ { '<' }, VIEW_SCROLL_LEFT, VIEW_LINES, "scroll to the left" },
	{ { '>' }, VIEW_SCROLL_RIGHT, VIEW_LINES,
	  "scroll to the right; long names are whole there" },
	{ { VIEW_KEY_ENTER, '+', VIEW_KEY_RIGHT }, VIEW_EXPAND, VIEW_TABLE,
	  "show the call tree of the line, or more of it" },
	{ { '-' }, VIEW_FOLD, VIEW_TABLE, "fold the line, or go to the line that it is below" },
	{ { '*' }, VIEW_EXPAND_ALL, VIEW_TABLE, "show all of the call tree of the line" },
	{ { VIEW_KEY_ESC, VIEW_KEY_LEFT, VIEW_KEY_BACKSPACE }, VIEW_BACK, VIEW_LINES,
	  "undo the last zoom or filter, or leave this page" },
	{ { VIEW_KEY_LEFT }, VIEW_BOX_LEFT, VIEW_FLAME, "go to the box at the left" },
	{ { VIEW_KEY_RIGHT }, VIEW_BOX_RIGHT, VIEW_FLAME, "go to the box at the right" },
	{ { VIEW_KEY_ENTER, '+' }, VIEW_ZOOM_IN, VIEW_FLAME, "zoom into the box" },
	{ { VIEW_KEY_BACKSPACE, 'z', '-' }, VIEW_ZOOM_OUT, VIEW_FLAME, "undo the last zoom" },
	{ { VIEW_KEY_ESC }, VIEW_BACK, VIEW_FLAME, "leave this page" },
	{ { '/' }, VIEW_FILTER, VIEW_TABLE,
	  "show only lines with a text or a regular expression" },
	{ { 'f' }, VIEW_FIND, VIEW_LINES, "find a text or a regular expression" },
	{ { 'n' }, VIEW_FIND_NEXT, VIEW_LINES, "find the next one" },
	{ { 'N' }, VIEW_FIND_PREVIOUS, VIEW_LINES, "find the previous one" },
	{ { 's' }, VIEW_SORT, VIEW_TABLE, "sort by the next column" },
	{ { 'S' }, VIEW_SORT_BACK, VIEW_TABLE, "sort by the previous column" },
	{ { 't' }, VIEW_ZOOM_THREAD, VIEW_TABLE, "zoom into the thread of the line" },
	{ { 'p' }, VIEW_ZOOM_PROCESS, VIEW_TABLE, "zoom into the process of the line" },
	{ { 'd' }, VIEW_ZOOM_BINARY, VIEW_TABLE, "zoom into the binary (DSO) of the line" },
	{ { 'P' }, VIEW_ZOOM_PARENT, VIEW_TABLE,
	  "zoom into the parent: the function above in a call tree, or the key parent" },
	{ { VIEW_KEY_TAB }, VIEW_NEXT_EVENT, VIEW_TABLE, "show the next event" },
	{ { VIEW_KEY_BACK_TAB }, VIEW_PREVIOUS_EVENT, VIEW_TABLE, "show the previous event" },
	{ { 'a' }, VIEW_ANNOTATE, VIEW_TABLE, "show the instructions of the line's function" },
	{ { 'F' }, VIEW_FLAMES, VIEW_TABLE, "show all call paths as a flame graph" },
	{ { 'H' }, VIEW_HOTTEST, VIEW_TEXT, "go to the line with the most samples" },
	{ { 's' }, VIEW_NEXT_FOLD, VIEW_TEXT,
	  "show instructions only, then source lines only, then both" },
	{ { 'c' }, VIEW_COPY, VIEW_ALL, "copy the name in the line to the clipboard" },
	{ { VIEW_KEY_CTRL_L }, VIEW_REDRAW, VIEW_ALL, "draw the screen again" },
	{ { 'h', '?' }, VIEW_HELP, VIEW_ALL, "show this help" },
	{ { 'q' }, VIEW_QUIT, VIEW_ALL, "quit" },
	{ { 0 }, VIEW_NONE, 0, NULL },
};

/* Find the row of a key that pages of kind @page have. Return NULL if there is none. */
const struct key_row *view_key_find(const struct key_row *rows, u32 key, u32 page)
{
	size_t i;

	for (; rows && rows->keys[0]; rows++) {
		for (i = 0; rows->pages & page && i < KEYS_PER_ROW; i++) {
			if (key && rows->keys[i] == key)
				return rows;
		}
	}
	return NULL;
}

/* Return the name of a key for the help. @buf is used if the name must be formatted. */
const char *view_key_name(u32 key, char *buf, size_t len)
{
	static const struct {
		u32 key;
		const char *name;
	} names[] = {
		{ VIEW_KEY_UP, "Up" }, { VIEW_KEY_DOWN, "Down" },
		{ VIEW_KEY_LEFT, "Left" }, { VIEW_KEY_RIGHT, "Right" },
		{ VIEW_KEY_PAGE_UP, "PgUp" }, { VIEW_KEY_PAGE_DOWN, "PgDn" },
		{ VIEW_KEY_HOME, "Home" }, { VIEW_KEY_END, "End" },
		{ VIEW_KEY_TAB, "Tab" }, { VIEW_KEY_BACK_TAB, "Shift-Tab" },
		{ VIEW_KEY_ENTER, "Enter" }, { VIEW_KEY_ESC, "Esc" },
		{ VIEW_KEY_BACKSPACE, "Backspace" }, { ' ', "Space" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		if (names[i].key == key)
			return names[i].name;
	}
	snprintf(buf, len, "%s%c", key < ' ' ? "Ctrl-" : "", key < ' ' ? key + '@' : key);
	return buf;
}
