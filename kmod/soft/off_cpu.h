/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - since when each thread does not run
 */
#ifndef TPROF_OFF_CPU_H
#define TPROF_OFF_CPU_H

#include <linux/types.h>

struct task_struct;

int tprof_off_cpu_init(void);
void tprof_off_cpu_uninit(void);
void tprof_off_cpu_leave(const struct task_struct *task, u64 now);
u64 tprof_off_cpu_return(const struct task_struct *task);

#endif /* TPROF_OFF_CPU_H */
