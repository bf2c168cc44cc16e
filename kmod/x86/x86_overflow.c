// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - serves the counters of one CPU that overflowed
 *
 * Context: NMI. The unit tests compile this file in user space, over a model of the
 * registers.
 */
#ifdef __KERNEL__
#include <linux/bitops.h>
#endif

#include "x86/x86_overflow.h"

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
