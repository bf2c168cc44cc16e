/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx top - pages that show the samples of one moment
 */
#ifndef TPROF_TOP_PAGES_H
#define TPROF_TOP_PAGES_H

#include "top/top.h"
#include "view/browser.h"
#include "view/table.h"

void top_annotate(struct top *top, struct browser *browser, const struct table_view *view,
		  struct text_view *text);

#endif /* TPROF_TOP_PAGES_H */
