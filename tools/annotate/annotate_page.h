/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx annotate - the instructions of a table's function as a page of a browser
 */
#ifndef TPROF_ANNOTATE_PAGE_H
#define TPROF_ANNOTATE_PAGE_H

#include "annotate/annotated.h"
#include "view/browser.h"
#include "view/table.h"

const struct symbol *row_function(const struct table_view *view, struct message *message);
int annotate_page_make(struct text_view *text, struct annotated *annotated,
		       const struct symbol *symbol, const struct object *owner,
		       struct message *message);
void annotate_page_open(struct text_view *text, struct browser *browser,
			const struct symbol *symbol, int err);

#endif /* TPROF_ANNOTATE_PAGE_H */
