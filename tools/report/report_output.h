/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx report - the forms that a profile is printed in
 */
#ifndef TPROF_REPORT_OUTPUT_H
#define TPROF_REPORT_OUTPUT_H

#include <stdio.h>

#include "report/report_options.h"

void report_text(const struct report_options *opts, const struct gather *gather);
void report_tree(FILE *out, const struct call_node *root, u64 own, u64 total, double limit);
void report_json(const struct report_options *opts, const struct gather *gather);
void report_csv(const struct report_options *opts, const struct gather *gather);
int report_folded(const struct gather *gather);

void report_progress(const struct reader *reader);
void report_progress_end(void);

#endif /* TPROF_REPORT_OUTPUT_H */
