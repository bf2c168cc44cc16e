/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - what the samples of an event cost a CPU
 *
 *   cost = time in handlers + number of interrupts * around
 *
 * The time in handlers is measured by the TSC, for each event and CPU:
 *
 * - Clocks: each tick, on the CPU of the timer, and for `nmi` each sample in an NMI as well. Each
 *   is an interrupt.
 * - Counters: one NMI in TPROF_COST_NMI_SHARE of a CPU, as a whole; it stands for all of them. If
 *   it serves several counters, each has an equal part.
 * - Software events: each sample. It is no interrupt of its own, except for time off CPU. What
 *   hooks need to count is not measured.
 *
 * An interrupt also costs time before and after its handler, which no handler can measure. Its
 * estimate is @around. A timer that nothing delays is late by the time from its interrupt to its
 * handler. So the entry takes about the least time by which timers of the CPU were late of late.
 * The exit, and the entry of an NMI, are taken to be as long. Before the first tick of a CPU, the
 * estimate is TPROF_COST_AROUND_NS. The rests of gated clocks, STATS and EVENTS use it.
 *
 * Records of forks, mappings and switches, gates, and the worker are not part of the cost.
 */
#ifndef TPROF_COST_H
#define TPROF_COST_H

#include <linux/types.h>
#ifdef __KERNEL__
#include <linux/compiler.h>
#include <linux/list.h>
#include <linux/percpu.h>
#endif

/* A power of two. To measure each NMI would take about a hundredth of its time. */
#define TPROF_COST_NMI_SHARE	64

#define TPROF_COST_AROUND_NS	1000

/**
 * struct tprof_cost_cell - cost of an event on a CPU; written on that CPU only
 * @cycles:	TSC cycles in handlers
 * @interrupts:	number of interrupts
 */
struct tprof_cost_cell {
	u64	cycles;
	u64	interrupts;
};

/**
 * struct tprof_cost - cost of an event
 * @node:	entry in the list of all, from which the totals are added up
 * @cells:	cost on each CPU
 */
struct tprof_cost {
#ifdef __KERNEL__
	struct list_head		node;
#endif
	struct tprof_cost_cell __percpu	*cells;
};

/**
 * struct tprof_cost_sum - cost on one or more CPUs
 * @interrupts:	number of interrupts
 * @handler_ns:	time in handlers
 * @around_ns:	estimated time before and after handlers
 */
struct tprof_cost_sum {
	u64	interrupts;
	u64	handler_ns;
	u64	around_ns;
};

int tprof_cost_init(struct tprof_cost *cost);
void tprof_cost_uninit(struct tprof_cost *cost);
void tprof_cost_add(const struct tprof_cost *cost, int cpu, struct tprof_cost_sum *sum);
void tprof_cost_add_total(int cpu, struct tprof_cost_sum *sum);
u64 tprof_cost_around_ns(int cpu);

/**
 * tprof_cost_spend - add what a handler has cost
 * @cost:	cost of the event
 * @cycles:	TSC cycles that it took
 * @interrupts:	number of interrupts
 *
 * Context: any, NMI included, not preemptible.
 */
static __always_inline void tprof_cost_spend(const struct tprof_cost *cost, u64 cycles,
					     u64 interrupts)
{
	struct tprof_cost_cell __percpu *cells = cost->cells;

	this_cpu_add(cells->cycles, cycles);
	this_cpu_add(cells->interrupts, interrupts);
}

#ifdef __KERNEL__
DECLARE_PER_CPU(s64, tprof_cost_entry_ns);

/**
 * tprof_cost_note_entry - note by how much a timer was late
 * @late:	nanoseconds; negative if it was before its time
 *
 * Delays that last make the estimate longer, but slowly.
 *
 * Context: hard interrupt, on the CPU of the timer.
 */
static __always_inline void tprof_cost_note_entry(s64 late)
{
	s64 more = late - this_cpu_read(tprof_cost_entry_ns);

	if (likely(late >= 0))
		this_cpu_add(tprof_cost_entry_ns, more < 0 ? more : more / 64);
}
#endif

#endif /* TPROF_COST_H */
