/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - show progress if reading takes longer than a second
 */
#ifndef TPROF_PROGRESS_H
#define TPROF_PROGRESS_H

#include "perfdata/reader.h"

void progress_show(const struct reader *reader);
void progress_end(void);

#endif /* TPROF_PROGRESS_H */
