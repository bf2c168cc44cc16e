/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - an event on a CPU: the struct
 */
#ifndef TPROF_X86_RUN_TYPES_H
#define TPROF_X86_RUN_TYPES_H

#include <linux/list.h>
#include <linux/percpu.h>

#include "x86/x86_cpu.h"
#include "x86/x86_rows.h"

/**
 * enum tprof_x86_step - what an event that has a counter does next: see x86_commit.c
 * @TPROF_X86_GOES_ON: nothing
 * @TPROF_X86_BEGINS: it arms its counter, which it has for itself
 * @TPROF_X86_ENDS: it gives its counter back, which it has for itself
 */
enum tprof_x86_step {
	TPROF_X86_GOES_ON,
	TPROF_X86_BEGINS,
	TPROF_X86_ENDS,
};

/**
 * struct tprof_x86_run - an event on a CPU
 * @counter:	count and period of the event; accessed on @cpu only while the event has the
 *		hardware counter, else under the x86 lock
 * @select:	control values of its counter
 * @seat:	its hardware counter; @seat.row changes only on @cpu, with interrupts off, or
 *		while the event has none
 * @step:	enum tprof_x86_step
 * @is_armed:	the hardware counter is armed, perhaps for another event: true while the
 *		event has one, except during suspend; also after a yield to an intruder
 * @period:	period of the event when @counter was last set up
 * @yields:	how often the event stood still because of an intruder, until its last STOP
 * @node:	entry in the list @running of x86_run.c, while the event has a counter
 * @gate:	the gate of the event, after x86_join(); its @rows follow @seat.row
 * @cpu:	CPU
 * @rows:	counters of that CPU
 */
struct tprof_x86_run {
	struct tprof_x86_counter	counter;
	struct tprof_x86_select		select;
	struct tprof_x86_seat		seat;
	u8				step;
	bool				is_armed;
	u64				period;
	struct tprof_pmu_yields		yields;
	struct list_head		node;
	struct tprof_pmu_gate		*gate;
	int				cpu;
	struct tprof_x86_rows		*rows;
};

/*
 * Return what an event does on all CPUs. The cast to an integer is needed: percpu pointers
 * have an address space of their own since Linux 6.15, if the compiler knows it.
 */
static inline struct tprof_x86_run __percpu *
tprof_x86_runs(const struct tprof_pmu_event *event)
{
	return (struct tprof_x86_run __percpu __force *)(unsigned long)event->priv;
}

/* Return what an event does on @cpu. */
static inline struct tprof_x86_run *tprof_x86_run_of(const struct tprof_pmu_event *event, int cpu)
{
	return per_cpu_ptr(tprof_x86_runs(event), cpu);
}

/* Return what an event does on this CPU. */
static inline struct tprof_x86_run *tprof_x86_run_here(const struct tprof_pmu_event *event)
{
	return this_cpu_ptr(tprof_x86_runs(event));
}

/* Return the event of a counter that is taken; the first one if it is shared. */
static inline struct tprof_x86_run *tprof_x86_run_of_row(const struct tprof_x86_rows *rows, int row)
{
	return container_of(rows->seats[row], struct tprof_x86_run, seat);
}

/*
 * Return true if the event has its counter of this CPU, which may be shared. @is_armed is set
 * a moment after the counter was armed, so it does not show that. An event that is not for this
 * CPU has none.
 */
static inline bool tprof_x86_run_has_seat(const struct tprof_x86_run *run)
{
	return run->seat.row >= 0 &&
	       tprof_x86_cpu_has_seat(this_cpu_ptr(tprof_x86_cpus), &run->counter, run->seat.row);
}

#endif /* TPROF_X86_RUN_TYPES_H */
