// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - serves the counters of one CPU that overflowed
 *
 * Context: NMI. The unit tests compile this file in user space, over a model of the
 * registers.
 */
#ifdef __KERNEL__
#include <linux/bitops.h>
#include <linux/math64.h>
#endif

#include "x86/x86_overflow.h"

/* Upper bound of the time of an NMI. If it is longer, a hypervisor descheduled the CPU. */
#define MAX_CYCLES	BIT(22)

/* Note how long a sample took. Its overflow was served from @tsc on. */
static __always_inline void note_spent(struct tprof_x86_counter *counter, u64 tsc)
{
	u64 spent = tprof_tsc() - tsc;

	/*
	 * Multiply by the number of armed counters: before the next sample of this
	 * counter, each of them may cause an NMI that takes as long.
	 */
	if (unlikely(counter->is_bounded))
		spent *= hweight64(this_cpu_ptr(tprof_x86_cpus)->armed);
	counter->spent = spent;
}

/**
 * tprof_x86_overflow_general - serve a counter with any kind of period
 * @counter:	counter that has overflowed
 * @now:	value of the hardware counter
 * @regs:	registers of the interrupted context
 *
 * Context: NMI.
 */
void tprof_x86_overflow_general(struct tprof_x86_counter *counter, u64 now,
				struct pt_regs *regs)
{
	u64 tsc = 0, clock = 0, due;

	if (unlikely(!tprof_x86_overflow_is_ours(counter)))
		return;
	if (counter->is_varied) {
		tsc = tprof_tsc();
		clock = tprof_x86_cpu_clock(counter, tsc);
	}
	due = tprof_x86_counter_advance(counter, now, clock);
	tprof_msr_write(counter->msr, tprof_x86_counter_load(counter));
	tprof_x86_counter_note_change(counter);
	if (likely(due)) {
		tprof_pmu_overflow(counter->event, regs, counter->last, due - 1);
		if (counter->is_timed)
			note_spent(counter, tsc);
	}
	if (unlikely(counter->is_shown))
		tprof_x86_cpu_show(counter);
}

/**
 * tprof_x86_overflow_rows - serve counters that may have overflowed
 * @xcpu:	counters of this CPU
 * @rows:	mask of armed counters
 * @regs:	registers of the interrupted context
 *
 * Context: NMI.
 * Return: true if one of them had overflowed.
 */
bool tprof_x86_overflow_rows(struct tprof_x86_cpu *xcpu, u64 rows, struct pt_regs *regs)
{
	struct tprof_x86_counter *counter;
	bool is_served = false;

	for (; rows; rows &= rows - 1) {
		counter = xcpu->counters[__ffs(rows)];
		is_served |= tprof_x86_overflow_serve(counter, tprof_pmc_read(counter->pmc), regs);
	}
	return is_served;
}

/**
 * tprof_x86_overflow_begin - begin to measure an NMI
 * @xcpu:	counters of this CPU
 *
 * What tprof_x86_overflow_spend() needs is not on the stack, of which an NMI has little.
 *
 * Context: NMI.
 */
void tprof_x86_overflow_begin(struct tprof_x86_cpu *xcpu)
{
	struct tprof_x86_counter *counter;
	u64 left;

	xcpu->measured_from = tprof_tsc();
	for (left = READ_ONCE(xcpu->armed); left; left &= left - 1) {
		counter = xcpu->counters[__ffs(left)];
		counter->changes_before = counter->changes;
	}
}

/* Return the mask of the counters that this NMI has served. */
static u64 served_rows(const struct tprof_x86_cpu *xcpu)
{
	const struct tprof_x86_counter *counter;
	u64 left, served = 0;

	for (left = READ_ONCE(xcpu->armed); left; left &= left - 1) {
		counter = xcpu->counters[__ffs(left)];
		if (counter->changes != counter->changes_before)
			served |= BIT_ULL(__ffs(left));
	}
	return served;
}

/* Return 0 if the TSC has started again meanwhile. */
static u64 spent_cycles(const struct tprof_x86_cpu *xcpu)
{
	s64 cycles = tprof_tsc() - xcpu->measured_from;

	return cycles < 0 ? 0 : min_t(u64, cycles, MAX_CYCLES);
}

/**
 * tprof_x86_overflow_spend - add what an NMI has cost to the events that it has served
 * @xcpu:	counters of this CPU
 *
 * tprof_x86_overflow_begin() was called in the same NMI.
 *
 * Context: NMI.
 */
void tprof_x86_overflow_spend(struct tprof_x86_cpu *xcpu)
{
	u64 spent = spent_cycles(xcpu) * TPROF_COST_NMI_SHARE;
	u64 served = served_rows(xcpu), left;
	u64 nr = hweight64(served);
	const struct tprof_cost *cost;

	for (left = served; left; left &= left - 1) {
		cost = &xcpu->counters[__ffs(left)]->event->cost;
		/* The event of the module's test of the counters has no cost. */
		if (likely(cost->cells))
			tprof_cost_spend(cost, div64_u64(spent, nr),
					 div64_u64(TPROF_COST_NMI_SHARE, nr));
	}
}
