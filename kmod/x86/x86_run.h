/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - an event on a CPU: which counter it has, and since when
 *
 * Context: process, under the x86 lock.
 */
#ifndef TPROF_X86_RUN_H
#define TPROF_X86_RUN_H

#include <linux/list.h>

#include "x86/x86_cpu.h"
#include "x86/x86_rows.h"

/*
 * The smallest period that errata of any supported processor ask for: Intel's
 * HSW11 and BDM11, of instructions retired.
 */
#define TPROF_X86_MIN_PERIOD	128

/**
 * struct tprof_x86_run - an event on a CPU
 * @counter:	what it counted; of that CPU while it is armed, else x86 lock
 * @select:	what the counter is told
 * @row:	counter that it has, or -1
 * @is_armed:	it counts: always if it has one, but for suspend
 * @period:	for which the distance in @counter was chosen
 * @node:	in the list of all that have a counter
 * @cpu:	the CPU
 * @rows:	the counters of the CPU
 */
struct tprof_x86_run {
	struct tprof_x86_counter	counter;
	struct tprof_x86_select		select;
	int				row;
	bool				is_armed;
	u64				period;
	struct list_head		node;
	int				cpu;
	struct tprof_x86_rows		*rows;
};

void tprof_x86_run_setup(struct tprof_x86_run *run,
			 struct tprof_pmu_event *event, int cpu,
			 struct tprof_x86_rows *rows);
u32 tprof_x86_run_choices(const struct tprof_x86_run *run);
int tprof_x86_run_start(struct tprof_x86_run *run);
void tprof_x86_run_stop(struct tprof_x86_run *run);
u64 tprof_x86_run_read(const struct tprof_x86_run *run);
void tprof_x86_run_sleep_all(void);
void tprof_x86_run_wake_all(void);

#endif /* TPROF_X86_RUN_H */
