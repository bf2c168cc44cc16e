/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the counters of one CPU: arm, disarm, move and read them
 *
 * All functions run on the CPU itself with interrupts off, or in its NMI. An
 * NMI can come between any two steps. So a counter is announced in @armed
 * before it can overflow, and is removed from @armed before it is changed. If
 * an NMI finds the overflow of a counter that is not in @armed, it acknowledges
 * the overflow and does no more (x86_overflow.h).
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
extern const struct tprof_x86_ops tprof_x86_amd_guest;

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
static inline u64 tprof_x86_cpu_read(struct tprof_x86_counter *counter)
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
	counter->last_read = total;
	return total;
}

#endif /* TPROF_X86_CPU_H */
