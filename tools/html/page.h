/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx html - the page
 */
#ifndef TPROF_HTML_PAGE_H
#define TPROF_HTML_PAGE_H

#include "html/join.h"

extern size_t page_frames_most;

int page_write(const struct export *export, const struct first_view *first, bool has_code);

/*
 * A page of two recordings: page_new(), page_read() for each, page_join(), page_settle(),
 * page_put().
 */
struct page_data *page_new(void);
int page_read(struct page_data *data, const struct export *export);
int page_join(struct page_data *data, const struct join_names *names);
int page_settle(struct page_data *data);
int page_put(struct page_data *data, FILE *out);
void page_free(struct page_data *data);

#endif /* TPROF_HTML_PAGE_H */
