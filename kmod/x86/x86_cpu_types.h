/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the counters of one CPU: the structs
 */
#ifndef TPROF_X86_CPU_TYPES_H
#define TPROF_X86_CPU_TYPES_H

#ifdef __KERNEL__
#include <linux/percpu.h>
#endif

#include "pmu/nmi.h"
#include "pmu/pmu.h"
#include "x86/x86_counter.h"
#include "x86/x86_msr.h"
#include "x86/x86_select.h"

/**
 * struct tprof_x86_saved - contents of the registers before a counter was armed
 * @global_ctrl: register that enables all counters
 * @fixed_ctrl:	register that controls the fixed counters
 * @select:	control register of each general counter
 * @value:	value of each counter, by row
 * @pebs:	register that lets counters write PEBS records; 0 if there is none
 * @reload:	register by which other counters reload each counter; 0 if there is none
 * @extension:	register for the extensions of each counter; 0 if there is none
 * @lvtpc:	LVTPC entry of the local APIC
 */
struct tprof_x86_saved {
	u64	global_ctrl;
	u64	fixed_ctrl;
	u64	select[TPROF_X86_FIXED];
	u64	value[TPROF_X86_MAX_ROWS];
	u64	pebs;
	u64	reload[TPROF_X86_MAX_ROWS];
	u64	extension[TPROF_X86_MAX_ROWS];
	u32	lvtpc;
};

/**
 * struct tprof_x86_cpu - the counters of a CPU
 * @armed:	mask of the rows (counters) that run
 * @kernel:	mask of the armed rows that count kernel mode
 * @sole:	the counter that is armed, if no other is, it counts no kernel mode, and the
 *		PMU has a status register; else NULL. For tprof_x86_overflow_nmi()
 * @shut:	mask of the rows whose gate is closed, armed or not
 * @stalled:	mask of the rows whose event is stalled, armed or not; an NMI may set bits
 * @foreign:	mask of the rows that ran before any was armed, for firmware or another program;
 *		they go on, and their registers are not accessed
 * @own:	mask of all other rows
 * @global_ctrl: value of the register @caps->global_ctrl, except while an NMI
 *		handler has stopped all counters; includes @foreign
 * @fixed_ctrl:	value of the register @caps->fixed_ctrl
 * @kept_global: bits that the register @caps->global_ctrl keeps as they were written
 * @kept_select: the same for the control registers of general counters
 * @since:	TSC when the registers were taken over
 * @trusted:	jiffies when @global_ctrl and its register were last found to be the same
 * @is_suspect:	an overflow has found a register that an intruder has changed
 * @has_yielded: the counters were left to an intruder. None is armed until all events of this
 *		CPU have stopped
 * @yielded_at:	jiffies when that happened
 * @measured_from: TSC at the beginning of the NMI that is measured
 * @source:	argument of tprof_nmi_expect()
 * @selects:	value of the control register of each armed general counter while its
 *		gate is open
 * @caps:	capabilities of the CPU's PMU
 * @fault:	register that could not be accessed, 0 if none
 * @counters:	event that each row counts, or will count when it is armed again
 * @kinds:	control values of @counters
 * @saved:	contents of the registers before a counter was armed
 */
struct tprof_x86_cpu {
	u64				armed;
	u64				kernel;
	struct tprof_x86_counter	*sole;
	u64				shut;
	unsigned long			stalled;
	u64				foreign;
	u64				own;
	u64				global_ctrl;
	u64				fixed_ctrl;
	u64				kept_global;
	u64				kept_select;
	u64				since;
	unsigned long			trusted;
	bool				is_suspect;
	bool				has_yielded;
	unsigned long			yielded_at;
	u64				selects[TPROF_X86_FIXED];
	u64				measured_from;
	const struct tprof_nmi_source	*source;
	struct tprof_x86_caps		caps;
	u32				fault;
	struct tprof_x86_counter	*counters[TPROF_X86_MAX_ROWS];
	const struct tprof_x86_select	*kinds[TPROF_X86_MAX_ROWS];
	struct tprof_x86_saved		saved;
};

extern struct tprof_x86_cpu __percpu *tprof_x86_cpus;
/*
 * Return the clock by which a counter's samples are timed, in TSC cycles, when the TSC is
 * @tsc. The clock stands still while the gate of the event is closed.
 */
static inline u64 tprof_x86_cpu_clock(const struct tprof_x86_counter *counter, u64 tsc)
{
	return counter->opening ? tprof_pmu_open_cycles(counter->opening, tsc) : tsc;
}

#endif /* TPROF_X86_CPU_TYPES_H */
