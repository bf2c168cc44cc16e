/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx report - print the counts of threads
 */
#ifndef TPROF_REPORT_THREADS_H
#define TPROF_REPORT_THREADS_H

#include <stdio.h>

#include "base/json.h"
#include "profile/thread_counts.h"

void report_threads_text(FILE *out, const struct thread_counts *counts);
void report_threads_json(struct json *json, const struct thread_counts *counts);

#endif /* TPROF_REPORT_THREADS_H */
