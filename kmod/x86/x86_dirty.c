// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - dirty counters: perf has used them and will set them to 0
 *
 * A counter is dirty from the end of perf's last event on it until perf sets it
 * to 0. perf does that when the counter's CPU switches to a process that may
 * execute RDPMC, even if another user has reserved the counter. If the counter
 * counted for this module by then, the count would jump by up to 2^47, and no
 * sample would be taken for as many events.
 *
 * So let perf set dirty counters to 0 while none is armed: on each CPU, a worker
 * switches to the address space of the task that adds the first event. While the
 * workers run, the process of that task may execute RDPMC. No other process gets
 * this permission, because others may lack the right to read counters. Later, no
 * counter becomes dirty, because perf has no event while this back end holds the
 * counters.
 *
 * perf sets no counter to 0 while the PMU's file rdpmc in sysfs contains 0. Dirty counters
 * then stay dirty until root changes the file.
 *
 * Context: process, under the x86 lock, CPU hotplug locked, all counters reserved.
 */
#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/kthread.h>
#include <linux/mm_types.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>

#include "base/params.h"
#include "base/workers.h"
#include "x86/x86_dirty.h"

/* CPUs that were asked to clear their counters since the counters were reserved. */
static struct cpumask asked;

/* Address space of the task that reserved the counters. The task may have ended. */
static struct mm_struct *claimer_mm;
/* Address space that the workers switch to. */
static struct mm_struct *target_mm;

/*
 * If @target_mm is loaded, kthread_use_mm() does not switch, so leave it first. If a thread
 * of the process preempts the worker in between, the switch to that thread clears the
 * counters instead. A child that was forked at the same time keeps the permission until it
 * calls execve(2).
 */
static void clear_this_cpu(void)
{
	atomic_inc(&target_mm->context.perf_rdpmc_allowed);
	tprof_workers_leave_mm();
	kthread_use_mm(target_mm);
	kthread_unuse_mm(target_mm);
	atomic_dec(&target_mm->context.perf_rdpmc_allowed);
}

/*
 * A CPU that comes online starts events in a kernel thread, so use the address space of
 * the task that reserved the counters. If that task has ended, use the address
 * space of the caller. Return NULL if the caller has none.
 */
static struct mm_struct *get_mm(void)
{
	if (mmget_not_zero(claimer_mm))
		return claimer_mm;
	if (current->mm)
		mmget(current->mm);
	return current->mm;
}

static void clear_cpus(const struct cpumask *cpus)
{
	target_mm = get_mm();
	if (!target_mm) {
		tprof_debug(TPROF_TOPIC_PMU, "dirty counters are not cleared: no process\n");
		return;
	}
	/*
	 * If a real-time task occupies a CPU, its counters stay dirty. Such a CPU hardly ever
	 * switches to another process, so perf hardly ever clears them.
	 */
	tprof_workers_run(cpus, clear_this_cpu);
	/* Take the permission also from CPUs that have run the process meanwhile. */
	tprof_workers_run(mm_cpumask(target_mm), tprof_workers_leave_mm);
	mmput(target_mm);
}

/**
 * tprof_x86_dirty_begin - clear the dirty counters of all online CPUs
 *
 * No counter is armed.
 *
 * Context: the task that reserves the counters.
 */
void tprof_x86_dirty_begin(void)
{
	claimer_mm = current->mm;
	mmgrab(claimer_mm);
	cpumask_copy(&asked, cpu_online_mask);
	clear_cpus(&asked);
}

/**
 * tprof_x86_dirty_clear_late - clear the dirty counters of a CPU that was offline before
 * @cpu:	online CPU
 *
 * Call this each time before a counter of @cpu is armed. The call has an effect
 * only if @cpu was offline in tprof_x86_dirty_begin(), and only the first time
 * after that.
 */
void tprof_x86_dirty_clear_late(int cpu)
{
	if (!cpumask_test_and_set_cpu(cpu, &asked))
		clear_cpus(cpumask_of(cpu));
}

/** tprof_x86_dirty_end - forget the task that reserved the counters */
void tprof_x86_dirty_end(void)
{
	mmdrop(claimer_mm);
	claimer_mm = NULL;
}
