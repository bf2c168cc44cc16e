/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the page of a table, and its commands
 */
#ifndef TPROF_TABLE_VIEW_H
#define TPROF_TABLE_VIEW_H

#include "view/table.h"

int table_view_init(struct table_view *view, const struct table_options *options,
		    const struct profile *profile);
int table_view_replace(struct table_view *view, const struct profile *profile);
int table_view_choose(struct table_view *view, const struct table_options *options);
int table_view_reload(struct table_view *view, const struct profile *profile);
void table_view_free(struct table_view *view);

#endif /* TPROF_TABLE_VIEW_H */
