/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - serves the counters of one CPU that overflowed
 *
 * Mostly, one counter is armed, counts user mode only, and its PMU has a status register:
 * the sole counter. It stands still in the handler, so nothing can overflow after the
 * status was read. tprof_x86_overflow_nmi() serves it in the fewest steps, for both
 * vendors. Everything else is left to @any of the vendor.
 *
 * Context: NMI. No locks; loops are bounded by the number of counters. The unit tests
 * compile this file in user space, over a model of the registers.
 */
#ifndef TPROF_X86_OVERFLOW_H
#define TPROF_X86_OVERFLOW_H

#include "pmu/overflow.h"
#include "x86/x86_cpu.h"
#include "x86/x86_intruder.h"
#include "x86/x86_suspect.h"

void tprof_x86_overflow_general(struct tprof_x86_counter *counter, u64 now,
				struct pt_regs *regs);
bool tprof_x86_overflow_rows(struct tprof_x86_cpu *xcpu, u64 rows, struct pt_regs *regs);
void tprof_x86_overflow_begin(struct tprof_x86_cpu *xcpu);
void tprof_x86_overflow_spend(struct tprof_x86_cpu *xcpu);

/**
 * tprof_x86_overflow_is_measured - report whether this NMI is measured, and stands for others
 *
 * One in TPROF_COST_NMI_SHARE NMIs that took samples is measured, each time one later: counters
 * that overflow in turn have their turns here, too. The first NMI, with a cold cache, is none.
 *
 * Context: NMI, before it is counted.
 * Return: true if it is measured.
 */
static __always_inline bool tprof_x86_overflow_is_measured(void)
{
	u64 nr = this_cpu_read(tprof_nmi_cpus.sampled);

	return !((nr - nr / TPROF_COST_NMI_SHARE + TPROF_COST_NMI_SHARE / 2) &
		 (TPROF_COST_NMI_SHARE - 1));
}

/* Let @serve, a constant, serve the overflows of this NMI, and measure what it costs. */
static __always_inline enum tprof_nmi_verdict
tprof_x86_overflow_measure(struct pt_regs *regs,
			   enum tprof_nmi_verdict (*serve)(struct pt_regs *regs))
{
	enum tprof_nmi_verdict verdict;

	tprof_x86_overflow_begin(this_cpu_ptr(tprof_x86_cpus));
	verdict = serve(regs);
	tprof_x86_overflow_spend(this_cpu_ptr(tprof_x86_cpus));
	return verdict;
}

/* Let overflows send NMIs again, where the NMI of an overflow masks LVTPC. */
static inline void tprof_x86_overflow_unmask(void)
{
	tprof_lvtpc_write(APIC_DM_NMI);
}

/*
 * Compare the control register of a counter that has overflowed. If an intruder has changed it,
 * the overflow may be the intruder's: do not serve it, and yield after the NMI. The NMI is
 * claimed all the same, because the intruder may have no handler.
 */
static __always_inline bool tprof_x86_overflow_is_ours(struct tprof_x86_counter *counter)
{
	if (unlikely(!tprof_x86_counter_is_ours(counter))) {
		tprof_x86_suspect();
		return false;
	}
	counter->trusted = jiffies;
	return true;
}

/* Serve the overflow of a steady counter. */
static __always_inline void
tprof_x86_overflow_steady(struct tprof_x86_counter *counter, u64 now, struct pt_regs *regs)
{
	u64 period = counter->next;

	if (unlikely(!tprof_x86_overflow_is_ours(counter)))
		return;
	tprof_x86_counter_advance_steady(counter, now);
	tprof_msr_write(counter->msr, counter->prev);
	tprof_x86_counter_note_change(counter);
	tprof_pmu_overflow(counter->event, regs, period, 0);
}

/**
 * tprof_x86_overflow_serve - serve a counter that may have overflowed
 * @counter:	counter that is armed
 * @now:	value of the hardware counter
 * @regs:	registers of the interrupted context
 *
 * The counter is restarted before the sample is taken, because sampling takes time.
 *
 * Context: NMI.
 * Return: true if the counter had overflowed.
 */
static __always_inline bool
tprof_x86_overflow_serve(struct tprof_x86_counter *counter, u64 now, struct pt_regs *regs)
{
	if (likely(tprof_x86_counter_is_steady(counter, now)))
		tprof_x86_overflow_steady(counter, now, regs);
	else if (tprof_x86_counter_is_over(counter, now))
		tprof_x86_overflow_general(counter, now, regs);
	else
		return false;
	return true;
}

/**
 * tprof_x86_overflow_scan - serve all overflows, by reading each armed counter
 * @xcpu:	counters of this CPU
 * @regs:	registers of the interrupted context
 *
 * This serves PMUs without a status register, and overflows that the status missed.
 *
 * Context: NMI.
 * Return: true if a counter had overflowed.
 */
static inline bool tprof_x86_overflow_scan(struct tprof_x86_cpu *xcpu, struct pt_regs *regs)
{
	return tprof_x86_overflow_rows(xcpu, xcpu->armed, regs);
}

/**
 * tprof_x86_overflow_status - acknowledge and serve the overflows that the status shows
 * @xcpu:	counters of this CPU
 * @status:	mask of counters that overflowed
 * @regs:	registers of the interrupted context
 *
 * The function acknowledges overflows before it takes samples, so that an overflow
 * in between is not lost. The overflow of a counter that is not armed is
 * acknowledged and ignored. This is a fast path: a single counter, the common case,
 * is served without a loop.
 *
 * Context: NMI.
 * Return: true if an armed counter had overflowed.
 */
static __always_inline bool
tprof_x86_overflow_status(struct tprof_x86_cpu *xcpu, u64 status, struct pt_regs *regs)
{
	u64 rows = status & xcpu->armed;
	struct tprof_x86_counter *counter;

	tprof_msr_write(xcpu->caps.global_clear,
			status | xcpu->caps.clear_also);
	if (unlikely(!is_power_of_2(rows)))
		return tprof_x86_overflow_rows(xcpu, rows, regs);
	counter = xcpu->counters[__ffs(rows)];
	return tprof_x86_overflow_serve(counter, tprof_pmc_read(counter->pmc), regs);
}

/**
 * tprof_x86_overflow_judge - decide whether an NMI that served nothing was ours
 * @xcpu:	counters of this CPU
 * @status:	mask of counters that overflowed, which has been acknowledged
 *
 * A bit that stays set after its acknowledgment does not count as an overflow:
 * otherwise every NMI would count as ours.
 *
 * Context: NMI.
 * Return: TPROF_NMI_LATE if it was ours, else TPROF_NMI_FOREIGN.
 */
static inline enum tprof_nmi_verdict
tprof_x86_overflow_judge(struct tprof_x86_cpu *xcpu, u64 status)
{
	if (status & ~tprof_msr_read(xcpu->caps.global_status))
		return TPROF_NMI_LATE;
	return TPROF_NMI_FOREIGN;
}

/**
 * struct tprof_x86_vendor_nmi - what a vendor does in an NMI; constant, and inlined
 * @any:	serves any overflows, and ends the NMI
 * @none:	ends the NMI if the status showed the sole counter, but it had not overflowed
 * @unmask:	unmasks LVTPC, where the NMI has masked it
 */
struct tprof_x86_vendor_nmi {
	int (*any)(struct pt_regs *regs);
	int (*none)(struct pt_regs *regs);
	void (*unmask)(void);
};

/*
 * If the sole counter is the only one in the status register, acknowledge its overflow and
 * return it. Else return NULL, and do nothing.
 */
static __always_inline struct tprof_x86_counter *
tprof_x86_overflow_take_sole(struct tprof_x86_cpu *xcpu)
{
	struct tprof_x86_counter *sole = READ_ONCE(xcpu->sole);
	u64 status;

	if (unlikely(!sole))
		return NULL;
	status = tprof_msr_read(xcpu->caps.global_status);
	/* Only this CPU changes @armed, and never in an NMI. */
	if (unlikely(status != xcpu->armed))
		return NULL;
	tprof_msr_write(xcpu->caps.global_clear, status | xcpu->caps.clear_also);
	return sole;
}

/**
 * tprof_x86_overflow_nmi - serve an NMI, in few steps if only the sole counter overflowed
 * @type:	argument of the NMI handler
 * @regs:	registers of the interrupted context
 * @vendor:	what the vendor does
 *
 * What is rare is called last, or nothing is needed after it, so that no register needs
 * saving.
 *
 * Context: NMI.
 * Return: NMI_HANDLED or NMI_DONE.
 */
static __always_inline int tprof_x86_overflow_nmi(unsigned int type, struct pt_regs *regs,
						  const struct tprof_x86_vendor_nmi *vendor)
{
	struct tprof_x86_counter *sole;
	u64 now;

	if (unlikely(!tprof_nmi_is_for_first()))
		return tprof_nmi_serve_all(type, regs);
	/* The handler of any overflows measures itself. */
	if (unlikely(tprof_x86_overflow_is_measured()))
		return vendor->any(regs);
	sole = tprof_x86_overflow_take_sole(this_cpu_ptr(tprof_x86_cpus));
	if (unlikely(!sole))
		return vendor->any(regs);
	now = tprof_pmc_read(sole->pmc);
	if (likely(tprof_x86_counter_is_steady(sole, now))) {
		tprof_nmi_count_sampled(regs);
		tprof_x86_overflow_steady(sole, now, regs);
	} else if (likely(tprof_x86_counter_is_over(sole, now))) {
		tprof_nmi_count_sampled(regs);
		tprof_x86_overflow_general(sole, now, regs);
	} else {
		return vendor->none(regs);
	}
	vendor->unmask();
	return NMI_HANDLED;
}

/**
 * tprof_x86_overflow_none - end an NMI in which the sole counter had not overflowed
 * @regs:	registers of the interrupted context
 *
 * tprof_x86_overflow_take_sole() has found that the status equals @armed.
 *
 * Context: NMI.
 * Return: NMI_HANDLED or NMI_DONE.
 */
static inline int tprof_x86_overflow_none(struct pt_regs *regs)
{
	struct tprof_x86_cpu *xcpu = this_cpu_ptr(tprof_x86_cpus);

	return tprof_nmi_end(regs, tprof_x86_overflow_judge(xcpu, READ_ONCE(xcpu->armed)));
}

#endif /* TPROF_X86_OVERFLOW_H */
