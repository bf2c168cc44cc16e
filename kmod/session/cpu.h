/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - which events run on which CPUs, across CPU hotplug
 */
#ifndef TPROF_CPU_H
#define TPROF_CPU_H

#include "session/crew.h"

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
