/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the counts of events on all CPUs
 */
#ifndef TPROF_CPU_COUNT_H
#define TPROF_CPU_COUNT_H

#include "session/cpu.h"

u64 tprof_cpu_ran_ns(struct tprof_crew *crew, u32 index, int cpu);
void tprof_cpu_read(struct tprof_crew *crew, u32 index,
		    struct tprof_lx_count *count);
void tprof_cpu_settle(struct tprof_crew *crew, struct tprof_tally *tally, u32 index);
void tprof_cpu_write(struct tprof_crew *crew, u32 index,
		     const struct tprof_lx_count *count);

#endif /* TPROF_CPU_COUNT_H */
