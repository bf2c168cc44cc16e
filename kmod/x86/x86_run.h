/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - an event on a CPU: its counter and its period
 *
 * Context: process, under the x86 lock.
 */
#ifndef TPROF_X86_RUN_H
#define TPROF_X86_RUN_H

#include "x86/x86_run_types.h"

/*
 * Smallest period that works on every supported processor. Intel's errata HSW11 and
 * BDM11, on retired instructions, require more than 100; see tprof_x86_intel_grain().
 */
#define TPROF_X86_MIN_PERIOD	128

void tprof_x86_run_setup(struct tprof_x86_run *run,
			 struct tprof_pmu_event *event, int cpu,
			 struct tprof_x86_rows *rows);
bool tprof_x86_run_is_for(const struct tprof_pmu_event *event,
			  const struct tprof_x86_caps *caps);
void tprof_x86_run_join(struct tprof_x86_run *run, struct tprof_pmu_gate *gate,
			struct tprof_pmu_member *member);
int tprof_x86_run_start(struct tprof_x86_run *run);
void tprof_x86_run_stop(struct tprof_x86_run *run);
int tprof_x86_run_commit(int cpu, struct tprof_x86_rows *rows);
u64 tprof_x86_run_read(struct tprof_x86_run *run);
void tprof_x86_run_add_yields(const struct tprof_x86_run *run, struct tprof_pmu_yields *sum);
void tprof_x86_run_show(const struct tprof_x86_run *run);
void tprof_x86_run_stall(struct tprof_x86_run *run, bool is_stalled);
void tprof_x86_run_sleep_all(void);
void tprof_x86_run_wake_all(void);

#endif /* TPROF_X86_RUN_H */
