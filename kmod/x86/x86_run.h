/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - an event on a CPU: its counter and its period
 *
 * Context: process, under the x86 lock.
 */
#ifndef TPROF_X86_RUN_H
#define TPROF_X86_RUN_H

#include <linux/list.h>

#include "x86/x86_cpu.h"
#include "x86/x86_rows.h"

/*
 * Smallest period that works on every supported processor. Intel's errata HSW11 and
 * BDM11, on retired instructions, require more than 100; see tprof_x86_intel_grain().
 */
#define TPROF_X86_MIN_PERIOD	128

/**
 * struct tprof_x86_run - an event on a CPU
 * @counter:	count and period of the event; accessed on @cpu only while armed,
 *		else under the x86 lock
 * @select:	control values of its counter
 * @seat:	its hardware counter; @seat.row changes only on @cpu, with interrupts off, or
 *		while the event has none
 * @is_armed:	the counter counts: true while the event has one, except during suspend
 * @period:	period of the event when @counter was last set up
 * @node:	entry in the list @running of x86_run.c, while the event has a counter
 * @gate:	the gate of the event, after x86_join(); its @rows follow @seat.row
 * @cpu:	CPU
 * @rows:	counters of that CPU
 */
struct tprof_x86_run {
	struct tprof_x86_counter	counter;
	struct tprof_x86_select		select;
	struct tprof_x86_seat		seat;
	bool				is_armed;
	u64				period;
	struct list_head		node;
	struct tprof_pmu_gate		*gate;
	int				cpu;
	struct tprof_x86_rows		*rows;
};

void tprof_x86_run_setup(struct tprof_x86_run *run,
			 struct tprof_pmu_event *event, int cpu,
			 struct tprof_x86_rows *rows);
void tprof_x86_run_join(struct tprof_x86_run *run, struct tprof_pmu_gate *gate);
int tprof_x86_run_start(struct tprof_x86_run *run);
void tprof_x86_run_stop(struct tprof_x86_run *run);
u64 tprof_x86_run_read(const struct tprof_x86_run *run);
u64 tprof_x86_run_count(const struct tprof_x86_run *run);
void tprof_x86_run_show(const struct tprof_x86_run *run);
void tprof_x86_run_sleep_all(void);
void tprof_x86_run_wake_all(void);

#endif /* TPROF_X86_RUN_H */
