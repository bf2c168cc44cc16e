/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx html - the page
 *
 * A page is one file: page.html with the style and all scripts in it, and the data. A browser
 * runs only the script and uses only the style whose hashes are in the page, and uses no
 * network. The data are compressed and in base64 (packed.h), so that no name can be markup.
 * The script puts names into text only.
 *
 * Samples and stacks are read by the code of `export`. A stack of the page is a node of
 * functions and kinds (tree.h); a million frames are forgotten. A sample is a point: its step
 * of time, event, thread, CPU, stack and the values of the keys of --sort (points.h).
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
