// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - what the samples of an event cost a CPU
 *
 * Context: process, except tprof_cost_around_ns(), which runs in any.
 */
#include <linux/compiler.h>
#include <linux/cpumask.h>
#include <linux/mutex.h>

#include "base/gfp.h"
#include "base/tsc.h"
#include "pmu/cost.h"

/* Protects @costs and @gone. No lock is taken inside it. */
static DEFINE_MUTEX(costs_lock);
static LIST_HEAD(costs);

/* Cost of the events that do not exist any more. */
static DEFINE_PER_CPU(struct tprof_cost_cell, gone);

DEFINE_PER_CPU(s64, tprof_cost_entry_ns) = TPROF_COST_AROUND_NS / 2;

/**
 * tprof_cost_init - begin to add up the cost of an event
 *
 * Return: 0 or -ENOMEM.
 */
int tprof_cost_init(struct tprof_cost *cost)
{
	cost->cells = alloc_percpu_gfp(struct tprof_cost_cell, TPROF_GFP);
	if (!cost->cells)
		return -ENOMEM;
	guard(mutex)(&costs_lock);
	list_add_tail(&cost->node, &costs);
	return 0;
}

/**
 * tprof_cost_uninit - keep the cost of an event that ends in the totals
 * @cost:	cost of an event without an overflow under way
 */
void tprof_cost_uninit(struct tprof_cost *cost)
{
	const struct tprof_cost_cell *cell;
	int cpu;

	mutex_lock(&costs_lock);
	list_del(&cost->node);
	for_each_possible_cpu(cpu) {
		cell = per_cpu_ptr(cost->cells, cpu);
		per_cpu(gone, cpu).cycles += cell->cycles;
		per_cpu(gone, cpu).interrupts += cell->interrupts;
	}
	mutex_unlock(&costs_lock);
	free_percpu(cost->cells);
	cost->cells = NULL;
}

/**
 * tprof_cost_around_ns - return the time that an interrupt takes before and after its handler
 * @cpu:	possible CPU
 *
 * Return: nanoseconds, as estimated at the top of cost.h.
 */
u64 tprof_cost_around_ns(int cpu)
{
	return 2 * READ_ONCE(per_cpu(tprof_cost_entry_ns, cpu));
}

/* Racy reads: the CPU may be adding. */
static void add_cell(const struct tprof_cost_cell *cell, int cpu, struct tprof_cost_sum *sum)
{
	u64 interrupts = READ_ONCE(cell->interrupts);

	sum->interrupts += interrupts;
	sum->handler_ns += tprof_tsc_to_ns(READ_ONCE(cell->cycles));
	sum->around_ns += interrupts * tprof_cost_around_ns(cpu);
}

/**
 * tprof_cost_add - add the cost of an event on a CPU to a sum
 * @cost:	cost of an event
 * @cpu:	possible CPU
 */
void tprof_cost_add(const struct tprof_cost *cost, int cpu, struct tprof_cost_sum *sum)
{
	add_cell(per_cpu_ptr(cost->cells, cpu), cpu, sum);
}

/**
 * tprof_cost_add_total - add the cost of all events on a CPU since the module was loaded
 * @cpu:	possible CPU
 */
void tprof_cost_add_total(int cpu, struct tprof_cost_sum *sum)
{
	const struct tprof_cost *cost;

	guard(mutex)(&costs_lock);
	add_cell(per_cpu_ptr(&gone, cpu), cpu, sum);
	list_for_each_entry(cost, &costs, node)
		add_cell(per_cpu_ptr(cost->cells, cpu), cpu, sum);
}
