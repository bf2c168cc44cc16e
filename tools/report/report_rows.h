/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx report - choose rows, for all output formats
 */
#ifndef TPROF_REPORT_ROWS_H
#define TPROF_REPORT_ROWS_H

#include "profile/cells.h"
#include "report/report_options.h"

bool report_is_shown(const struct report_options *opts, const struct profile *profile,
		     const struct profile_entry *entry);
u64 report_leading_value(const struct report_options *opts, const struct profile_entry *entry);

#endif /* TPROF_REPORT_ROWS_H */
