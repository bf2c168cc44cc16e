/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - a page of a browser: a few lines of head, and rows with a cursor
 *
 * A page formats only the rows that are in its window.
 */
#ifndef TPROF_PAGE_H
#define TPROF_PAGE_H

#include <errno.h>

#include "base/message.h"
#include "view/line.h"
#include "view/pattern.h"
#include "view/scroll.h"

struct page;

/**
 * struct page_ops - a kind of page
 * @kind:	VIEW_TABLE, VIEW_TEXT or VIEW_FLAME
 * @nr_heads:	number of lines of the head
 * @draws_cursor: the cursor is in a part of its row, which @row marks
 * @head:	makes line @at of the head
 * @measure:	called before the rows in the window are made, for lines of @width columns
 * @row:	makes row @at
 * @foot:	makes the last line if there is no message; NULL for a line about keys
 * @matches:	returns true if row @at has what a pattern finds
 * @command:	carries out an enum view_command other than those of scroll_move(); returns
 *		false if the page has nothing to do. It may set a message.
 * @filter:	shows only rows that match a pattern; NULL if the page has no filter
 * @name:	returns the name to copy from the row with the cursor
 */
struct page_ops {
	u32	kind;
	u32	nr_heads;
	bool	draws_cursor;
	void	(*head)(struct page *page, u32 at, struct line *line);
	void	(*measure)(struct page *page, u32 width);
	void	(*row)(struct page *page, size_t at, struct line *line);
	void	(*foot)(struct page *page, struct line *line);
	bool	(*matches)(struct page *page, size_t at, const struct pattern *pattern);
	bool	(*command)(struct page *page, u32 command, struct message *message);
	void	(*filter)(struct page *page, const char *text, struct message *message);
	const char *(*name)(struct page *page, char *buf, size_t len);
};

/**
 * struct page - a page
 * @ops:	its kind
 * @scroll:	its rows, cursor and window
 */
struct page {
	const struct page_ops *ops;
	struct scroll scroll;
};

static inline void page_no_memory(struct message *message)
{
	message_set(message, -ENOMEM, "memory ran out");
}

#endif /* TPROF_PAGE_H */
