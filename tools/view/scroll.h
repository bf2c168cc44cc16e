/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - a cursor in a list of rows, and the window of rows around it
 */
#ifndef TPROF_SCROLL_H
#define TPROF_SCROLL_H

#include "view/keys.h"

/**
 * struct scroll - a cursor and a window
 * @nr:		number of rows
 * @cursor:	the row with the cursor; 0 if there are no rows
 * @top:	the first row in the window
 * @height:	number of rows that fit in the window, at least 1
 */
struct scroll {
	size_t	nr;
	size_t	cursor;
	size_t	top;
	size_t	height;
};

void scroll_to(struct scroll *scroll, size_t at);
void scroll_resize(struct scroll *scroll, size_t nr, size_t height);
bool scroll_move(struct scroll *scroll, u32 command);

#endif /* TPROF_SCROLL_H */
