/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx html - the page
 */
#ifndef TPROF_HTML_PAGE_H
#define TPROF_HTML_PAGE_H

#include "export/export.h"

int page_write(const struct export *export);

#endif /* TPROF_HTML_PAGE_H */
