/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx html - keep the stacks of a page few enough for memory, and for a browser
 */
#ifndef TPROF_HTML_PAGE_PRUNE_H
#define TPROF_HTML_PAGE_PRUNE_H

#include "html/page_data.h"

/* Numbers of stacks at which small ones are folded. A test sets smaller ones. */
extern size_t page_stacks_read, page_stacks_shown;

void page_prune_scale(struct page_run *run);
int page_prune_read(struct page_data *data, struct page_run *run);
int page_prune_shown(struct page_data *data);

#endif /* TPROF_HTML_PAGE_PRUNE_H */
