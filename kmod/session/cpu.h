/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - which events run on which CPUs, across CPU hotplug
 */
#ifndef TPROF_CPU_H
#define TPROF_CPU_H

#include <linux/cpumask.h>
#include <linux/list.h>

#include "gate/gate.h"
#include "sample/sampler.h"

/**
 * struct tprof_crew - the events of a session and the CPUs that they run on
 * @node:	entry in the list of prepared sessions; under the cpu lock
 * @stream:	stream that takes the records
 * @cpus:	CPUs to run on; constant while any event runs
 * @samplers:	the events; constant while they run
 * @gates:	gate of each CPU for the events with @is_gated, NULL if there are none;
 *		constant while any event runs
 * @running:	mask of the running events; under the cpu lock
 */
struct tprof_crew {
	struct list_head	node;
	struct tprof_stream	*stream;
	cpumask_var_t		cpus;
	struct tprof_sampler	*samplers[TPROF_LX_MAX_EVENTS];
	struct tprof_gate __percpu *gates;
	u32			running;
};

void tprof_cpu_lock(void);
void tprof_cpu_unlock(void);

int tprof_cpu_prepare(struct tprof_crew *crew);
void tprof_cpu_release(struct tprof_crew *crew);

int tprof_cpu_start(struct tprof_crew *crew, u32 mask);
void tprof_cpu_stop(struct tprof_crew *crew, u32 mask);
bool tprof_cpu_collides(struct tprof_crew *crew, const struct tprof_tasks *tasks);
void tprof_cpu_resume(struct tprof_crew *crew, struct tprof_lane *lane);
void tprof_cpu_end_stalls(struct tprof_crew *crew, u32 mask);

/* cpu.c */
int tprof_cpu_init(void);
void tprof_cpu_uninit(void);

#endif /* TPROF_CPU_H */
