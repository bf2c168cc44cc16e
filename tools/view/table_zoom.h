/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - zoom into a table, filter it, and go back the same way
 */
#ifndef TPROF_TABLE_ZOOM_H
#define TPROF_TABLE_ZOOM_H

#include "view/table.h"

void table_zoom_by_key(struct table_view *view, const char *const *words,
		       struct message *message);
void table_zoom_to_parent(struct table_view *view, struct message *message);
void table_filter(struct page *page, const char *text, struct message *message);
bool table_undo(struct table_view *view, struct message *message);

#endif /* TPROF_TABLE_ZOOM_H */
