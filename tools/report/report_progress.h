/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx report - show progress if reading takes longer than a second
 */
#ifndef TPROF_REPORT_PROGRESS_H
#define TPROF_REPORT_PROGRESS_H

#include "perfdata/reader.h"

void report_progress(const struct reader *reader);
void report_progress_end(void);

#endif /* TPROF_REPORT_PROGRESS_H */
