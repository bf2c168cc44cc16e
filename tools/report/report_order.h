/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx report - sort the profiles
 */
#ifndef TPROF_REPORT_ORDER_H
#define TPROF_REPORT_ORDER_H

#include "report/report_options.h"

int report_sort(const struct report_options *opts, const struct gather *gather);

#endif /* TPROF_REPORT_ORDER_H */
