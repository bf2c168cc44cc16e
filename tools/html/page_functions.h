/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx html - write the functions of a page
 */
#ifndef TPROF_HTML_PAGE_FUNCTIONS_H
#define TPROF_HTML_PAGE_FUNCTIONS_H

#include "base/json.h"
#include "export/frames.h"

void page_functions_write(struct json *json, const struct function **functions, size_t nr,
			  bool has_small);

#endif /* TPROF_HTML_PAGE_FUNCTIONS_H */
