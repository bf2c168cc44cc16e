/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx annotate - the instructions of a table's function as a page of a browser
 */
#ifndef TPROF_ANNOTATE_PAGE_H
#define TPROF_ANNOTATE_PAGE_H

#include "annotate/annotated.h"
#include "view/browser.h"
#include "view/table.h"

/**
 * struct row_function - the function of a row
 * @name:	its name
 * @start:	its first address in its binary, as functions may have the same name
 * @binary:	short name of its binary, or NULL for any
 * @name_buf:	memory for @name
 * @binary_buf:	memory for @binary
 */
struct row_function {
	const char *name;
	u64	start;
	const char *binary;
	char	name_buf[COLUMN_TEXT_LEN];
	char	binary_buf[COLUMN_TEXT_LEN];
};

bool row_function_find(struct row_function *function, const struct table_view *view,
		       struct message *message);
int annotate_page_make(struct text_view *text, struct annotated *annotated,
		       const struct row_function *function);
void annotate_page_open(struct text_view *text, struct browser *browser,
			const struct row_function *function, int err);

#endif /* TPROF_ANNOTATE_PAGE_H */
