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
 * switches to the address space of init. While the workers run, init may execute RDPMC.
 * No other process gets this permission, not even the one that adds the event, because it
 * may lack the right to read counters. Later, no counter becomes dirty, because perf has
 * no event while this back end holds the counters.
 *
 * To write 0 here does not do: perf has the list of dirty counters, and would write 0 again.
 * perf_clear_dirty_counters() and mm_alloc() are not exported, so perf is reached by a switch
 * of address spaces only, and to that of a process. init is the one that always exists.
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
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/sched/mm.h>

#include "base/params.h"
#include "base/workers.h"
#include "x86/x86_dirty.h"

/* CPUs that were asked to clear their counters since the counters were reserved. */
static struct cpumask asked;

/* Address space of init. The workers switch to it. */
static struct mm_struct *init_process_mm;

/*
 * If @init_process_mm is loaded, kthread_use_mm() does not switch, so leave it first. If a
 * thread of init preempts the worker in between, the switch to that thread clears the
 * counters instead. A child that init forks at the same time keeps the permission until it
 * calls execve(2).
 */
static void clear_this_cpu(void)
{
	atomic_inc(&init_process_mm->context.perf_rdpmc_allowed);
	tprof_workers_leave_mm();
	kthread_use_mm(init_process_mm);
	kthread_unuse_mm(init_process_mm);
	atomic_dec(&init_process_mm->context.perf_rdpmc_allowed);
}

/* Return NULL if the first thread of init has exited. */
static struct mm_struct *get_mm_of_init(void)
{
	struct task_struct *init;
	struct mm_struct *mm;

	rcu_read_lock();
	init = pid_task(find_pid_ns(1, &init_pid_ns), PIDTYPE_TGID);
	mm = init ? get_task_mm(init) : NULL;
	rcu_read_unlock();
	return mm;
}

static void clear_cpus(const struct cpumask *cpus)
{
	init_process_mm = get_mm_of_init();
	if (!init_process_mm) {
		tprof_debug(TPROF_TOPIC_PMU, "dirty counters are not cleared: no init\n");
		return;
	}
	/*
	 * If a real-time task occupies a CPU, its counters stay dirty. Such a CPU hardly ever
	 * switches to another process, so perf hardly ever clears them.
	 */
	tprof_workers_run(cpus, clear_this_cpu);
	/* Take the permission also from CPUs that have run init meanwhile. */
	tprof_workers_run(mm_cpumask(init_process_mm), tprof_workers_leave_mm);
	mmput(init_process_mm);
}

/**
 * tprof_x86_dirty_begin - clear the dirty counters of all online CPUs
 *
 * No counter is armed.
 */
void tprof_x86_dirty_begin(void)
{
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
