/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the counters of one CPU: arm, disarm and read them
 *
 * All functions run on the CPU itself with interrupts off, or in its NMI. An
 * NMI can come between any two steps. So a counter is announced in @armed
 * before it can overflow, and is removed from @armed before it is changed. If
 * an NMI finds the overflow of a counter that is not in @armed, it acknowledges
 * the overflow and does no more.
 *
 * Vendors differ in how they report overflows: each has a table of operations,
 * which the NMI calls. Compiles in user space, over a model of the registers.
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
 * struct tprof_x86_ops - operations of a vendor
 * @name:	name of the back end
 * @handle:	serves all overflows when an NMI has come. Context: NMI.
 */
struct tprof_x86_ops {
	const char *name;
	enum tprof_nmi_verdict (*handle)(struct tprof_x86_cpu *xcpu,
					 struct pt_regs *regs);
};

/**
 * struct tprof_x86_saved - what the registers held before the first event
 * @global_ctrl: register that enables all counters
 * @fixed_ctrl:	register that controls the fixed counters
 * @select:	control register of each general counter
 * @value:	each counter, by row
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
 * @kernel:	armed rows that count kernel mode
 * @timed:	rows that took a sample in this NMI and are timed
 * @global_ctrl: value of the register, except while an NMI handler runs
 * @fixed_ctrl:	value of the register
 * @ops:	operations of the vendor
 * @source:	source of its NMIs
 * @caps:	what the PMU has
 * @fault:	register that could not be accessed, 0 if none
 * @counters:	event on each row
 * @saved:	what the registers held before the first event
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
void tprof_x86_cpu_charge(struct tprof_x86_cpu *xcpu);
bool tprof_x86_cpu_scan(struct tprof_x86_cpu *xcpu, struct pt_regs *regs);
bool tprof_x86_cpu_serve(struct tprof_x86_cpu *xcpu, u64 status,
			 struct pt_regs *regs);
bool tprof_x86_cpu_overflow_any(struct tprof_x86_cpu *xcpu, int row, u64 now,
				struct pt_regs *regs);

/**
 * tprof_x86_cpu_overflow - serve a counter that may have overflowed
 * @xcpu:	counters of this CPU
 * @row:	counter that is armed
 * @regs:	registers of the interrupted context
 *
 * The counter continues before the sample is taken, because that takes time.
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

	if (unlikely(!tprof_x86_counter_is_over(counter, now)))
		return false;
	if (unlikely(!counter->is_plain ||
		     !tprof_x86_counter_advance_plain(counter, now)))
		return tprof_x86_cpu_overflow_any(xcpu, row, now, regs);
	tprof_msr_write(counter->msr, counter->prev);
	/* This NMI may have interrupted tprof_x86_cpu_read(). */
	WRITE_ONCE(counter->changes, counter->changes + 1);
	counter->event->sink(counter->event, regs, counter->next, 0);
	return true;
}

/**
 * tprof_x86_cpu_sampled - return from an NMI that took samples
 * @xcpu:	counters of this CPU
 *
 * Context: NMI, at the end of the handler.
 * Return: TPROF_NMI_SAMPLED.
 */
static __always_inline enum tprof_nmi_verdict
tprof_x86_cpu_sampled(struct tprof_x86_cpu *xcpu)
{
	if (unlikely(xcpu->timed))
		tprof_x86_cpu_charge(xcpu);
	return TPROF_NMI_SAMPLED;
}

/**
 * tprof_x86_cpu_is_sole - is one counter armed, and the one that overflowed?
 * @xcpu:	counters of this CPU
 * @status:	mask of counters that overflowed
 *
 * Return: true if @status is that counter.
 */
static __always_inline bool
tprof_x86_cpu_is_sole(const struct tprof_x86_cpu *xcpu, u64 status)
{
	return status && status == READ_ONCE(xcpu->armed) &&
	       !(status & (status - 1));
}

/**
 * tprof_x86_cpu_serve_sole - tprof_x86_cpu_serve() for the only counter
 * @xcpu:	counters of this CPU
 * @status:	mask of the counter, as tprof_x86_cpu_is_sole() found it
 * @regs:	registers of the interrupted context
 *
 * Context: NMI.
 * Return: true if it had overflowed.
 */
static __always_inline bool
tprof_x86_cpu_serve_sole(struct tprof_x86_cpu *xcpu, u64 status,
			 struct pt_regs *regs)
{
	tprof_msr_write(xcpu->caps.global_clear,
			status | xcpu->caps.clear_also);
	return tprof_x86_cpu_overflow(xcpu, __ffs(status), regs);
}

/**
 * tprof_x86_cpu_judge - decide whether an NMI that served nothing was ours
 * @xcpu:	counters of this CPU
 * @status:	mask of counters that overflowed, acknowledged
 *
 * A bit that stays set after its acknowledgment is no sign of an overflow: if
 * it were, every NMI would seem to be ours.
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
