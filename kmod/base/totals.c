// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - totals of the module since it was loaded, over all sessions
 *
 * Each CPU has counts of its own, so counting writes no memory that another CPU uses.
 */
#include <linux/compiler.h>
#include <linux/cpumask.h>
#include <linux/percpu.h>

#include "base/totals.h"

static DEFINE_PER_CPU(u64[TPROF_NR_TOTALS], totals);

/**
 * tprof_totals_add - count occurrences
 * @total:	of what
 * @nr:		their number
 *
 * Context: any, NMI included.
 */
void tprof_totals_add(enum tprof_total total, unsigned int nr)
{
	this_cpu_add(totals[total], nr);
}

/**
 * tprof_totals_read - return how often something has happened
 * @total:	what
 *
 * Context: any.
 * Return: number of occurrences on all CPUs, without those that are being counted.
 */
u64 tprof_totals_read(enum tprof_total total)
{
	u64 sum = 0;
	int cpu;

	/* Racy reads: other CPUs may be counting. */
	for_each_possible_cpu(cpu)
		sum += READ_ONCE(per_cpu(totals, cpu)[total]);
	return sum;
}
