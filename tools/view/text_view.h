/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - a text as a page with a cursor, without a terminal
 */
#ifndef TPROF_TEXT_VIEW_H
#define TPROF_TEXT_VIEW_H

#include "base/bytes.h"
#include "view/page.h"

/**
 * struct text_mark - what is known about a line
 * @folds:	bit N is set if text_view.folds[N] has the line
 * @heat:	a percentage: the line with the largest one is the hottest line
 */
struct text_mark {
	u32	folds;
	double	heat;
};

/**
 * struct text_view - a text
 * @page:	the page
 * @title:	first line of the head
 * @text:	the lines, each of which ends with a NUL
 * @lines:	offsets of the lines in @text
 * @nr:		number of @lines
 * @marks:	a struct text_mark for each of the last lines; the lines before have none
 * @folds:	which lines can be shown: names of choices, NULL for the first one
 * @nr_folds:	number of @folds
 * @fold:	index of the choice that is shown
 * @rows:	indexes of the lines that are shown
 * @hottest:	the row to go to by VIEW_HOTTEST
 * @name:	the name to copy
 */
struct text_view {
	struct page page;
	char	title[256];
	char	*text;
	size_t	*lines;
	size_t	nr;
	struct bytes marks;
	const char *const *folds;
	u32	nr_folds;
	u32	fold;
	size_t	*rows;
	size_t	hottest;
	char	*name;
};

int text_view_init(struct text_view *view, char *text, size_t len);
void text_view_mark(struct text_view *view, struct bytes *marks, const char *const *folds,
		    u32 nr_folds);
void text_view_free(struct text_view *view);

#endif /* TPROF_TEXT_VIEW_H */
