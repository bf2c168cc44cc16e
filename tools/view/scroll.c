// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - a cursor in a list of rows, and the window of rows around it
 */
#include "view/scroll.h"

/* Put the window where it has the cursor, and no empty line that a row could fill. */
static void follow(struct scroll *scroll)
{
	size_t last_top = scroll->nr > scroll->height ? scroll->nr - scroll->height : 0;

	if (scroll->top > scroll->cursor)
		scroll->top = scroll->cursor;
	if (scroll->cursor - scroll->top >= scroll->height)
		scroll->top = scroll->cursor - scroll->height + 1;
	if (scroll->top > last_top)
		scroll->top = last_top;
}

/* Move the cursor to row @at, or to the last row if there are fewer. */
void scroll_to(struct scroll *scroll, size_t at)
{
	scroll->cursor = at < scroll->nr ? at : scroll->nr ? scroll->nr - 1 : 0;
	follow(scroll);
}

/* Set the number of rows, and the number of them that fit in the window. */
void scroll_resize(struct scroll *scroll, size_t nr, size_t height)
{
	scroll->nr = nr;
	scroll->height = height ? height : 1;
	scroll_to(scroll, scroll->cursor);
}

/* Carry out an enum view_command that moves the cursor. Return false if it is another one. */
bool scroll_move(struct scroll *scroll, u32 command)
{
	size_t at = scroll->cursor, page = scroll->height > 1 ? scroll->height - 1 : 1;

	switch (command) {
	case VIEW_UP:
		at -= at > 0;
		break;
	case VIEW_DOWN:
		at++;
		break;
	case VIEW_PAGE_UP:
		at -= at < page ? at : page;
		scroll->top -= scroll->top < page ? scroll->top : page;
		break;
	case VIEW_PAGE_DOWN:
		at += page;
		scroll->top += page;
		break;
	case VIEW_HOME:
		at = 0;
		break;
	case VIEW_END:
		at = scroll->nr;
		break;
	default:
		return false;
	}
	scroll_to(scroll, at);
	return true;
}
