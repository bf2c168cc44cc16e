/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx report - choose rows and compute their values, for all output formats
 */
#ifndef TPROF_REPORT_ROWS_H
#define TPROF_REPORT_ROWS_H

#include "profile/interval.h"
#include "report/report_options.h"

double report_share(u64 part, u64 whole);
struct interval report_interval(const struct profile *profile, u64 period);
bool report_is_shown(const struct report_options *opts, const struct profile *profile,
		     const struct profile_entry *entry);
u64 report_value(const struct report_options *opts, const struct profile_entry *entry,
		 const struct column *column);
u64 report_leading_value(const struct report_options *opts, const struct profile_entry *entry);

#endif /* TPROF_REPORT_ROWS_H */
