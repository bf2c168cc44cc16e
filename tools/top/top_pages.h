/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx top - pages that show the samples of one moment
 *
 * resolver_borrow() keeps the thread of the resolver from loading symbols meanwhile.
 */
#ifndef TPROF_TOP_PAGES_H
#define TPROF_TOP_PAGES_H

#include "top/top.h"
#include "view/browser.h"
#include "view/flame_view.h"
#include "view/table.h"

/**
 * struct top_flames - the call paths of one moment; empty if all members are zero
 * @options:	options of @gather
 * @gather:	the paths
 * @is_set:	@gather was set up
 * @view:	the page
 */
struct top_flames {
	struct gather_options options;
	struct gather gather;
	bool	is_set;
	struct flame_view view;
};

void top_show_flames(struct top *top, struct browser *browser, u32 event,
		     struct top_flames *flames);
void top_flames_free(struct top_flames *flames);
bool top_annotate(struct top *top, struct browser *browser, const struct table_view *view,
		  struct text_view *text);

#endif /* TPROF_TOP_PAGES_H */
