/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx diff - write a page for a browser
 */
#ifndef TPROF_DIFF_HTML_H
#define TPROF_DIFF_HTML_H

#include "diff/diff_options.h"

int diff_html(const struct diff_options *opts);

#endif /* TPROF_DIFF_HTML_H */
