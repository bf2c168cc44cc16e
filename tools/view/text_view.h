/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - a text as a page with a cursor, without a terminal
 */
#ifndef TPROF_TEXT_VIEW_H
#define TPROF_TEXT_VIEW_H

#include "view/page.h"

/**
 * struct text_view - a text
 * @page:	the page
 * @title:	first line of the head
 * @text:	the lines, each of which ends with a NUL
 * @lines:	offsets of the lines in @text
 * @hottest:	index of the line to go to by VIEW_HOTTEST
 * @name:	the name to copy
 */
struct text_view {
	struct page page;
	char	title[256];
	char	*text;
	size_t	*lines;
	size_t	hottest;
	char	*name;
};

int text_view_init(struct text_view *view, char *text, size_t len);
void text_view_free(struct text_view *view);

#endif /* TPROF_TEXT_VIEW_H */
