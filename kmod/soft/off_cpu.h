/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - since when each thread does not run, and in which state
 *
 * A sample of `off-cpu` has the state of the thread as PERF_SAMPLE_RAW, which perf skips. When
 * the thread is switched in, the tracepoint still runs on the stack and the page tables of the
 * previous task. So the hook queues an irq_work. It runs as soon as the scheduler has switched
 * and enables interrupts, and takes the sample from the registers that its interrupt has
 * saved: the stack in which the thread left the CPU, with its user part.
 */
#ifndef TPROF_OFF_CPU_H
#define TPROF_OFF_CPU_H

#include <linux/types.h>

struct task_struct;

/**
 * struct tprof_off_cpu_wait - the time for which a thread does not run
 * @since_ns:	CLOCK_MONOTONIC when it was switched out, at the earliest; S64_MAX if that is
 *		not known, because the table had no room for all threads
 * @state:	letter of its state then, 0 if not known
 */
struct tprof_off_cpu_wait {
	u64	since_ns;
	char	state;
};

int tprof_off_cpu_init(void);
void tprof_off_cpu_uninit(void);
void tprof_off_cpu_leave(const struct task_struct *task, u64 now, char state);
struct tprof_off_cpu_wait tprof_off_cpu_return(const struct task_struct *task);

#endif /* TPROF_OFF_CPU_H */
