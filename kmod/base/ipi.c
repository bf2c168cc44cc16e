// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - functions that other CPUs call in an IPI
 *
 * A call on the CPU of the caller needs no IPI, but counts, too. So a call of the module has the
 * same number of them wherever it runs.
 *
 * Context: process, may sleep.
 */
#include <linux/preempt.h>
#include <linux/smp.h>

#include "base/ipi.h"
#include "base/totals.h"

/**
 * tprof_ipi_call - let a CPU call a function, and wait for it
 * @cpu:	CPU
 * @function:	runs on @cpu with interrupts off
 * @data:	its argument
 *
 * Return: 0, or -ENXIO if @cpu is offline: then nothing was called.
 */
int tprof_ipi_call(int cpu, void (*function)(void *data), void *data)
{
	int err = smp_call_function_single(cpu, function, data, true);

	if (!err)
		tprof_totals_add(TPROF_TOTAL_IPI_CALLS, 1);
	return err;
}

/**
 * tprof_ipi_call_all - let several CPUs call a function, and wait for all
 * @cpus:	CPUs; those that are offline are left out
 * @function:	runs on each of them with interrupts off
 * @data:	its argument
 */
void tprof_ipi_call_all(const struct cpumask *cpus, void (*function)(void *data), void *data)
{
	int cpu, nr = 0;

	/* No CPU goes offline meanwhile, so the number is that of the calls. */
	preempt_disable();
	for_each_cpu_and(cpu, cpus, cpu_online_mask)
		nr++;
	on_each_cpu_mask(cpus, function, data, true);
	preempt_enable();
	tprof_totals_add(TPROF_TOTAL_IPI_CALLS, nr);
}
