/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the counters of one CPU: arm, disarm, move and read them
 *
 * All functions run on the CPU itself with interrupts off, or in its NMI. An
 * NMI can come between any two steps. So a counter is announced in @armed
 * before it can overflow, and is removed from @armed before it is changed. If
 * an NMI finds the overflow of a counter that is not in @armed, it acknowledges
 * the overflow and does no more.
 *
 * Vendors differ in how they report overflows, so each has a table of operations,
 * which the NMI handler uses. The unit tests compile this file in user space, over a
 * model of the registers.
 */
#ifndef TPROF_X86_CPU_H
#define TPROF_X86_CPU_H

#ifdef __KERNEL__
#include <linux/log2.h>
#endif

#include "pmu/nmi.h"
#include "pmu/overflow.h"
#include "pmu/page.h"
#include "pmu/pmu.h"
#include "x86/x86_stall.h"

/**
 * struct tprof_x86_ops - operations of a vendor
 * @name:	name of the back end
 * @entry:	NMI handler of the module while this back end is the first source of NMIs
 * @handle:	serves all overflows of this CPU. Context: NMI.
 */
struct tprof_x86_ops {
	const char *name;
	int (*entry)(unsigned int type, struct pt_regs *regs);
	enum tprof_nmi_verdict (*handle)(struct pt_regs *regs);
};

extern const struct tprof_x86_ops tprof_x86_intel;
extern const struct tprof_x86_ops tprof_x86_amd;

int tprof_x86_cpu_arm(struct tprof_x86_cpu *xcpu,
		      struct tprof_x86_counter *counter,
		      const struct tprof_x86_select *select, int row);
void tprof_x86_cpu_disarm(struct tprof_x86_cpu *xcpu, int row);
int tprof_x86_cpu_move(struct tprof_x86_cpu *xcpu, struct tprof_x86_counter *counter,
		       const struct tprof_x86_select *select, int from, int to);
void tprof_x86_cpu_show(const struct tprof_x86_counter *counter);
void tprof_x86_cpu_place(struct tprof_x86_cpu *xcpu, struct tprof_x86_counter *counter,
			 const struct tprof_x86_select *select, int row);
void tprof_x86_cpu_seat(struct tprof_x86_cpu *xcpu, struct tprof_x86_counter *counter,
			const struct tprof_x86_select *select, int row);
bool tprof_x86_cpu_has_seat(const struct tprof_x86_cpu *xcpu,
			    const struct tprof_x86_counter *counter, int row);
bool tprof_x86_cpu_overflow_general(struct tprof_x86_cpu *xcpu,
				    struct tprof_x86_counter *counter, u64 now,
				    struct pt_regs *regs);
bool tprof_x86_cpu_overflow_rows(struct tprof_x86_cpu *xcpu, u64 rows,
				 struct pt_regs *regs);

/**
 * tprof_x86_cpu_read - read the count of an event
 * @counter:	counter that is armed on this CPU
 *
 * While this function adds up @count and the events in the hardware counter, an
 * overflow's NMI may move events from the hardware counter to @count. The NMI
 * then increments @changes, and this function reads both again.
 *
 * Context: interrupts off, on the CPU.
 * Return: events.
 */
static inline u64 tprof_x86_cpu_read(const struct tprof_x86_counter *counter)
{
	u32 changes;
	u64 total;

	do {
		changes = READ_ONCE(counter->changes);
		barrier();
		total = tprof_x86_counter_total(counter,
						tprof_pmc_read(counter->pmc));
		/* A barrier() which @total is computed before, so that it needs fewer registers. */
		barrier_data(total);
	} while (changes != READ_ONCE(counter->changes));
	return total;
}

/* Serve the overflow of a plain counter, without its sample. */
static __always_inline void tprof_x86_cpu_serve_plain(struct tprof_x86_counter *counter, u64 now)
{
	tprof_x86_counter_advance_plain(counter, now);
	tprof_msr_write(counter->msr, counter->prev);
	tprof_x86_counter_note_change(counter);
}

/**
 * tprof_x86_cpu_overflow - serve a counter that may have overflowed
 * @xcpu:	counters of this CPU
 * @counter:	counter that is armed
 * @regs:	registers of the interrupted context
 *
 * The counter is restarted before the sample is taken, because sampling takes time.
 *
 * Context: NMI.
 * Return: true if the counter had overflowed.
 */
static __always_inline bool
tprof_x86_cpu_overflow(struct tprof_x86_cpu *xcpu, struct tprof_x86_counter *counter,
		       struct pt_regs *regs)
{
	u64 now = tprof_pmc_read(counter->pmc);

	if (unlikely(!tprof_x86_counter_is_plain(counter, now)))
		return tprof_x86_cpu_overflow_general(xcpu, counter, now, regs);
	tprof_x86_cpu_serve_plain(counter, now);
	tprof_pmu_overflow(counter->event, regs, counter->next, 0);
	return true;
}

/**
 * tprof_x86_cpu_scan - serve all overflows, by reading each armed counter
 * @xcpu:	counters of this CPU
 * @regs:	registers of the interrupted context
 *
 * This serves PMUs without a status register, and overflows that the status missed.
 *
 * Context: NMI.
 * Return: true if a counter had overflowed.
 */
static inline bool tprof_x86_cpu_scan(struct tprof_x86_cpu *xcpu,
				      struct pt_regs *regs)
{
	return tprof_x86_cpu_overflow_rows(xcpu, xcpu->armed, regs);
}

/**
 * tprof_x86_cpu_serve - acknowledge and serve the overflows that the status shows
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
tprof_x86_cpu_serve(struct tprof_x86_cpu *xcpu, u64 status, struct pt_regs *regs)
{
	u64 rows = status & xcpu->armed;

	tprof_msr_write(xcpu->caps.global_clear,
			status | xcpu->caps.clear_also);
	if (likely(is_power_of_2(rows)))
		return tprof_x86_cpu_overflow(xcpu, xcpu->counters[__ffs(rows)], regs);
	return tprof_x86_cpu_overflow_rows(xcpu, rows, regs);
}

/**
 * tprof_x86_cpu_judge - decide whether an NMI that served nothing was ours
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
tprof_x86_cpu_judge(struct tprof_x86_cpu *xcpu, u64 status)
{
	if (status & ~tprof_msr_read(xcpu->caps.global_status))
		return TPROF_NMI_LATE;
	return TPROF_NMI_FOREIGN;
}

/**
 * tprof_x86_cpu_find_sole - find and acknowledge an overflow in the most frequent case
 * @xcpu:	counters of this CPU
 *
 * The counter counts user mode only, so it stands still in the handler. So nothing can
 * overflow after the status was read.
 *
 * Context: NMI.
 * Return: the only armed counter, if it is the only one in the status register; else
 * NULL, and nothing has been done.
 */
static __always_inline struct tprof_x86_counter *
tprof_x86_cpu_find_sole(const struct tprof_x86_cpu *xcpu)
{
	struct tprof_x86_counter *sole = READ_ONCE(xcpu->sole);
	u64 status;

	if (unlikely(!sole))
		return NULL;
	status = tprof_msr_read(xcpu->caps.global_status);
	if (unlikely(status != READ_ONCE(xcpu->armed)))
		return NULL;
	tprof_msr_write(xcpu->caps.global_clear, status | xcpu->caps.clear_also);
	return sole;
}

#endif /* TPROF_X86_CPU_H */
