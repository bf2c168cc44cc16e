/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx counts - rows of threads in a recording
 */
#ifndef TPROF_THREAD_MAP_H
#define TPROF_THREAD_MAP_H

#include "counts/threads.h"
#include "perfdata/stat_counts.h"

void thread_map_put(struct stat_thread *entry, const struct thread_row *row);
void thread_map_get(const struct stat_thread *entry, struct thread_row *row);

#endif /* TPROF_THREAD_MAP_H */
