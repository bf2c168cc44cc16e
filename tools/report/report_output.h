/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx report - the forms that a profile is printed in
 */
#ifndef TPROF_REPORT_OUTPUT_H
#define TPROF_REPORT_OUTPUT_H

#include <stdio.h>

#include "profile/interval.h"
#include "report/report_options.h"

/* Of report_sum_text(), with every reason that there is. */
#define REPORT_SUM_LEN	2048

void report_text(const struct report_options *opts, const struct gather *gather);
void report_tree(FILE *out, const struct call_node *root, u64 own, u64 total, double limit);
void report_json(const struct report_options *opts, const struct gather *gather);
void report_csv(const struct report_options *opts, const struct gather *gather);
int report_folded(const struct gather *gather);

void report_progress(const struct reader *reader);
void report_progress_end(void);

double report_share(u64 part, u64 whole);
struct interval report_interval(const struct profile *profile, u64 period);
bool report_is_shown(const struct report_options *opts, const struct profile *profile,
		     const struct profile_entry *entry);
u64 report_value(const struct report_options *opts, const struct profile_entry *entry,
		 const struct column *column);
u64 report_leading_value(const struct report_options *opts, const struct profile_entry *entry);
const char *report_sum_text(const struct gather *gather, char *buf, size_t len);

#endif /* TPROF_REPORT_OUTPUT_H */
