/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the counters of one CPU: who runs on them, and what was there
 *
 * Everything here runs on the CPU itself with interrupts off, or in its NMI.
 * An NMI can come between any two steps; so a counter is announced in @armed
 * before it can overflow, and taken out of it before it is touched again. What
 * an NMI finds overflowed and not in @armed, it acknowledges and forgets.
 *
 * Vendors differ in how they tell what overflowed: a table of operations for
 * each, which the NMI calls. Compiles in user space, over a model of the
 * registers.
 */
#ifndef TPROF_X86_CPU_H
#define TPROF_X86_CPU_H

#include "pmu/nmi.h"
#include "pmu/pmu.h"
#include "x86/x86_counter.h"
#include "x86/x86_msr.h"
#include "x86/x86_select.h"

struct tprof_x86_cpu;

/**
 * struct tprof_x86_ops - a vendor
 * @name:	of the back end
 * @handle:	an NMI has come: serves what overflowed. Context: NMI.
 */
struct tprof_x86_ops {
	const char *name;
	enum tprof_nmi_verdict (*handle)(struct tprof_x86_cpu *xcpu,
					 struct pt_regs *regs);
};

/**
 * struct tprof_x86_saved - what the registers held before the first event
 * @global_ctrl: register
 * @fixed_ctrl:	register
 * @select:	of each general counter
 * @value:	of each counter, by row
 * @lvtpc:	entry of the local APIC
 */
struct tprof_x86_saved {
	u64	global_ctrl;
	u64	fixed_ctrl;
	u64	select[TPROF_X86_FIXED];
	u64	value[TPROF_X86_MAX_ROWS];
	u32	lvtpc;
};

/**
 * struct tprof_x86_cpu - the counters of a CPU
 * @armed:	rows that run
 * @kernel:	those of them that count the kernel
 * @timed:	those that took a sample in this NMI and hold a frequency
 * @global_ctrl: what the register holds, except inside of the NMI
 * @fixed_ctrl:	what the register holds
 * @ops:	the vendor's
 * @source:	of its NMIs
 * @caps:	what there is
 * @fault:	register that could not be accessed, 0 if none was
 * @counters:	what runs on each row
 * @saved:	what was there before
 */
struct tprof_x86_cpu {
	u64				armed;
	u64				kernel;
	u64				timed;
	u64				global_ctrl;
	u64				fixed_ctrl;
	const struct tprof_x86_ops	*ops;
	const struct tprof_nmi_source	*source;
	struct tprof_x86_caps		caps;
	u32				fault;
	struct tprof_x86_counter	*counters[TPROF_X86_MAX_ROWS];
	struct tprof_x86_saved		saved;
};

extern const struct tprof_x86_ops tprof_x86_intel;
extern const struct tprof_x86_ops tprof_x86_amd;

int tprof_x86_cpu_arm(struct tprof_x86_cpu *xcpu,
		      struct tprof_x86_counter *counter,
		      const struct tprof_x86_select *select, int row);
void tprof_x86_cpu_disarm(struct tprof_x86_cpu *xcpu, int row);
u64 tprof_x86_cpu_read(const struct tprof_x86_counter *counter);

/**
 * tprof_x86_cpu_overflow - serve a counter that may have overflowed
 * @xcpu:	this CPU's
 * @row:	counter that is armed
 * @regs:	what was interrupted
 *
 * The counter goes on before the sample is taken, which takes its time.
 *
 * Context: NMI.
 * Return: true if it had overflowed.
 */
static __always_inline bool
tprof_x86_cpu_overflow(struct tprof_x86_cpu *xcpu, int row,
		       struct pt_regs *regs)
{
	struct tprof_x86_counter *counter = xcpu->counters[row];
	u64 now = tprof_pmc_read(counter->pmc);
	struct tprof_x86_sample sample;
	u64 now_tsc = 0;
	bool is_due;

	if (!tprof_x86_counter_is_over(counter, now))
		return false;
	if (unlikely(counter->is_varied))
		now_tsc = tprof_tsc();
	is_due = tprof_x86_counter_advance(counter, now, now_tsc, &sample);
	tprof_msr_write(counter->msr, tprof_x86_counter_load(counter));
	/* Races with tprof_x86_cpu_read() on this CPU. */
	WRITE_ONCE(counter->changes, counter->changes + 1);
	if (!is_due)
		return true;
	if (unlikely(counter->is_timed))
		xcpu->timed |= BIT_ULL(row);
	counter->event->sink(counter->event, regs, sample.period,
			     sample.merged);
	return true;
}

/**
 * tprof_x86_cpu_charge - at the end of an NMI, say what its samples took
 * @xcpu:	this CPU's
 *
 * Context: NMI.
 */
static inline void tprof_x86_cpu_charge(struct tprof_x86_cpu *xcpu)
{
	struct tprof_x86_counter *counter;
	u64 rows = xcpu->timed;
	u64 now_tsc;
	int row;

	if (likely(!rows))
		return;
	xcpu->timed = 0;
	now_tsc = tprof_tsc();
	while (rows) {
		row = __ffs(rows);
		rows &= rows - 1;
		counter = xcpu->counters[row];
		counter->spent = now_tsc - counter->sampled_at;
		/* Each of the others may have its own NMI in between. */
		if (counter->is_bounded)
			counter->spent *= hweight64(xcpu->armed);
	}
}

/**
 * tprof_x86_cpu_scan - serve whatever has overflowed, by the counters alone
 * @xcpu:	this CPU's
 * @regs:	what was interrupted
 *
 * For PMUs that keep no status: a counter starts with its highest bit set and
 * has lost it when it is over.
 *
 * Context: NMI.
 * Return: true if one had overflowed.
 */
static inline bool tprof_x86_cpu_scan(struct tprof_x86_cpu *xcpu,
				      struct pt_regs *regs)
{
	u64 rows = xcpu->armed;
	bool is_served = false;
	int row;

	while (rows) {
		row = __ffs(rows);
		rows &= rows - 1;
		is_served |= tprof_x86_cpu_overflow(xcpu, row, regs);
	}
	return is_served;
}

/**
 * tprof_x86_cpu_serve - serve what the status tells, and acknowledge it
 * @xcpu:	this CPU's
 * @status:	counters that overflowed
 * @regs:	what was interrupted
 *
 * Acknowledged first: an overflow that comes while we serve must not be lost.
 * A bit of a counter that is not armed (any more) is acknowledged only.
 *
 * Context: NMI.
 * Return: true if one of those that are armed had overflowed.
 */
static inline bool tprof_x86_cpu_serve(struct tprof_x86_cpu *xcpu, u64 status,
				       struct pt_regs *regs)
{
	u64 rows = status & xcpu->armed;
	bool is_served = false;
	int row;

	tprof_msr_write(xcpu->caps.global_clear,
			status | xcpu->caps.clear_also);
	while (rows) {
		row = __ffs(rows);
		rows &= rows - 1;
		is_served |= tprof_x86_cpu_overflow(xcpu, row, regs);
	}
	return is_served;
}

/**
 * tprof_x86_cpu_judge - whose NMI was it, when nothing was served
 * @xcpu:	this CPU's
 * @status:	counters that overflowed, acknowledged
 *
 * A bit that stays is no sign of an overflow: by it, we would take all NMIs
 * that there are for ours.
 *
 * Context: NMI.
 * Return: TPROF_NMI_LATE or TPROF_NMI_FOREIGN.
 */
static inline enum tprof_nmi_verdict
tprof_x86_cpu_judge(struct tprof_x86_cpu *xcpu, u64 status)
{
	if (status & ~tprof_msr_read(xcpu->caps.global_status))
		return TPROF_NMI_LATE;
	return TPROF_NMI_FOREIGN;
}

#endif /* TPROF_X86_CPU_H */
