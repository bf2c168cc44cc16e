/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx html - the page up to its data, and the rest of it, with their lengths
 */
#ifndef TPROF_HTML_PAGE_PARTS_H
#define TPROF_HTML_PAGE_PARTS_H

#include "base/types.h"

extern const char page_head[], page_tail[];
extern const u64 page_head_len, page_tail_len;

#endif /* TPROF_HTML_PAGE_PARTS_H */
