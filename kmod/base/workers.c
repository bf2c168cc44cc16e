// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - a function that a worker of each CPU runs
 *
 * An IPI interrupts a CPU, but cannot make it switch to another address space. A worker is a
 * kernel thread, and can.
 *
 * Context: process.
 */
#include <linux/atomic.h>
#include <linux/completion.h>
#include <linux/cpumask.h>
#include <linux/irqflags.h>
#include <linux/jiffies.h>
#include <linux/mmu_context.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/workqueue.h>

#include "base/params.h"
#include "base/totals.h"
#include "base/workers.h"

/*
 * How long to wait for the workers. A real-time task may occupy a CPU for ever,
 * so that the worker does not run.
 */
#define PATIENCE	(HZ / 2)

/* Protects all below; taken inside the x86 lock and the lock of an address space. */
static DEFINE_MUTEX(workers_lock);
static DEFINE_PER_CPU(struct work_struct, works);
static void (*work_function)(void);
static atomic_t nr_working;
static DECLARE_COMPLETION(all_done);

static void run_work(struct work_struct *work)
{
	work_function();
	if (atomic_dec_and_test(&nr_working))
		complete(&all_done);
}

/**
 * tprof_workers_run - let a worker of each CPU run a function
 * @cpus:	CPUs. The worker of one that goes offline meanwhile runs elsewhere
 * @function:	what each worker runs, once
 *
 * Context: process, may sleep.
 * Return: false if a real-time task did not let one of the workers run.
 */
bool tprof_workers_run(const struct cpumask *cpus, void (*function)(void))
{
	bool have_all_run = true;
	int cpu;

	mutex_lock(&workers_lock);
	work_function = function;
	/* One more, so that the completion is not set before all works are queued. */
	atomic_set(&nr_working, 1);
	reinit_completion(&all_done);
	for_each_possible_cpu(cpu) {
		INIT_WORK(per_cpu_ptr(&works, cpu), run_work);
		if (!cpumask_test_cpu(cpu, cpus))
			continue;
		atomic_inc(&nr_working);
		tprof_totals_add(TPROF_TOTAL_CPU_WORKS, 1);
		queue_work_on(cpu, system_highpri_wq, per_cpu_ptr(&works, cpu));
	}
	if (!atomic_dec_and_test(&nr_working))
		wait_for_completion_timeout(&all_done, PATIENCE);
	for_each_possible_cpu(cpu) {
		if (!cancel_work_sync(per_cpu_ptr(&works, cpu)))
			continue;
		tprof_debug(TPROF_TOPIC_CPU, "CPU %d: a worker did not run\n", cpu);
		have_all_run = false;
	}
	mutex_unlock(&workers_lock);
	return have_all_run;
}

/**
 * tprof_workers_leave_mm - leave the address space that the previous task has left loaded
 *
 * While a kernel thread runs, the address space of the previous task stays loaded. When the
 * CPU then switches to a task that uses the same one, the kernel does not look again whether
 * that task may execute RDPMC. After this call, it does.
 *
 * Context: a worker.
 */
void tprof_workers_leave_mm(void)
{
	/* The IPI of a TLB flush can leave the address space, too. */
	local_irq_disable();
	leave_mm();
	local_irq_enable();
}
