/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - choose and sort the rows of a table
 */
#ifndef TPROF_TABLE_ROWS_H
#define TPROF_TABLE_ROWS_H

#include "view/table.h"

u64 table_leading_value(const struct table_view *view, const struct profile_entry *entry);
u64 table_cursor(const struct table_view *view);
int table_make_rows(struct table_view *view, u64 id);
int table_sort(struct table_view *view);

#endif /* TPROF_TABLE_ROWS_H */
