/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - intruders: programs that use counters which this module has reserved
 *
 * Context: on the CPU of the counters; in NMI or with interrupts off.
 */
#ifndef TPROF_X86_INTRUDER_H
#define TPROF_X86_INTRUDER_H

#ifdef __KERNEL__
#include <linux/jiffies.h>
#endif

#include "x86/x86_register.h"

void tprof_x86_intruder_note(struct tprof_x86_cpu *xcpu, struct tprof_x86_counter *counter,
			     int row);
void tprof_x86_intruder_learn(struct tprof_x86_cpu *xcpu, int row);
bool tprof_x86_intruder_is_here(struct tprof_x86_cpu *xcpu);

/* Return true if the register that controls a counter is as this module has written it. */
static __always_inline bool tprof_x86_counter_is_ours(const struct tprof_x86_counter *counter)
{
	return !((tprof_msr_read(counter->ctrl) ^ counter->ctrl_value) & counter->ctrl_mask);
}

/* The same for the register that enables all counters, which the PMU has. */
static __always_inline bool tprof_x86_global_is_ours(const struct tprof_x86_cpu *xcpu)
{
	return !((tprof_msr_read(xcpu->caps.global_ctrl) ^ READ_ONCE(xcpu->global_ctrl)) &
		 xcpu->kept_global);
}

/* The same for all registers of counters that are about to count. */
static __always_inline bool tprof_x86_rows_are_ours(const struct tprof_x86_cpu *xcpu, u64 rows)
{
	for (; rows; rows &= rows - 1) {
		if (unlikely(!tprof_x86_counter_is_ours(xcpu->counters[__ffs(rows)])))
			return false;
	}
	return true;
}

/* Yield if registers that were compared are not @are_ours. Return true if the CPU has yielded. */
static __always_inline bool tprof_x86_intruder_took(struct tprof_x86_cpu *xcpu, bool are_ours)
{
	return unlikely(!are_ours) && tprof_x86_intruder_is_here(xcpu);
}

#endif /* TPROF_X86_INTRUDER_H */
