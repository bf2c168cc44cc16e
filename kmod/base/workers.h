/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - a function that a worker of each CPU runs
 */
#ifndef TPROF_WORKERS_H
#define TPROF_WORKERS_H

#include <linux/types.h>

struct cpumask;

bool tprof_workers_run(const struct cpumask *cpus, void (*function)(void));
void tprof_workers_leave_mm(void);

#endif /* TPROF_WORKERS_H */
