/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx stat - print the counts of a recording
 */
#ifndef TPROF_STAT_REPORT_H
#define TPROF_STAT_REPORT_H

#include "counts/stat_output.h"
#include "stat/stat_options.h"

int stat_report(struct stat_output *output, const struct stat_options *opts);

#endif /* TPROF_STAT_REPORT_H */
