/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the lines of a table
 */
#ifndef TPROF_TABLE_DRAW_H
#define TPROF_TABLE_DRAW_H

#include "view/table.h"

void table_draw_head(struct page *page, u32 at, struct line *line);
void table_draw_measure(struct page *page, u32 width);
void table_draw_row(struct page *page, size_t at, struct line *line);

#endif /* TPROF_TABLE_DRAW_H */
