/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx report - print the counts of whole events
 */
#ifndef TPROF_REPORT_COUNTS_H
#define TPROF_REPORT_COUNTS_H

#include <stdio.h>

#include "base/json.h"
#include "perfdata/stat_counts.h"

void report_counts_text(FILE *out, const struct stat_counts *counts);
void report_counts_json(struct json *json, const struct stat_counts *counts);

#endif /* TPROF_REPORT_COUNTS_H */
