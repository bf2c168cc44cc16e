// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the yield to an intruder that an NMI has noticed
 *
 * The NMI may have interrupted a change of the registers, so an irq_work yields after it.
 */
#include <linux/cpumask.h>
#include <linux/irq_work.h>
#include <linux/percpu.h>

#include "x86/x86_intruder.h"
#include "x86/x86_suspect.h"

/* Context: hard interrupt, on PREEMPT_RT too. It interrupts no change of the registers. */
static void look_again(struct irq_work *work)
{
	tprof_x86_intruder_is_here(this_cpu_ptr(tprof_x86_cpus));
}

static DEFINE_PER_CPU(struct irq_work, looks) = IRQ_WORK_INIT_HARD(look_again);

/**
 * tprof_x86_suspect - yield to an intruder, after this NMI
 *
 * Context: NMI.
 */
void tprof_x86_suspect(void)
{
	WRITE_ONCE(this_cpu_ptr(tprof_x86_cpus)->is_suspect, true);
	irq_work_queue(this_cpu_ptr(&looks));
}

/** tprof_x86_suspect_end - wait for the last yields, after the last NMI */
void tprof_x86_suspect_end(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		irq_work_sync(&per_cpu(looks, cpu));
}
