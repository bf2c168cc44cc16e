// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - which processes may execute RDPMC
 *
 * @perf_rdpmc_allowed of an address space is perf's number of mappings by which the process
 * may execute RDPMC. Count pages add to it. When a CPU switches to another address space, the
 * kernel sets CR4.PCE if the number is not 0, and if the PMU's file rdpmc in sysfs does not
 * forbid it. So this file never writes CR4: it lets each CPU switch to the address space once
 * more.
 *
 * A process that may execute RDPMC can read all counters of its CPU, as with perf.
 *
 * Context: process, under the lock of the address space if not stated otherwise.
 */
#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/irqflags.h>
#include <linux/mm_types.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/tracepoint.h>
#include <asm/processor-flags.h>
#include <asm/tlbflush.h>
#include <trace/events/sched.h>

#include "base/tracepoints.h"
#include "base/workers.h"
#include "session/rdpmc.h"

/* Protects @nr_users; taken inside the session lock. */
static DEFINE_MUTEX(fork_probe_lock);
/* Number of sessions that have or had an event with a count page. */
static unsigned int nr_users;

/*
 * The kernel copies @perf_rdpmc_allowed to the child, but no mapping: neither perf's nor
 * those of count pages are inherited. So set it to 0. Runs before the child can run.
 */
static void forbid_child(void *data, struct task_struct *parent, struct task_struct *child)
{
	if (child->mm && child->mm != parent->mm)
		atomic_set(&child->mm->context.perf_rdpmc_allowed, 0);
}

/* The build fails if the prototype of the probe differs from its tracepoint's. */
static void __maybe_unused check_fork_probe(void)
{
	check_trace_callback_type_sched_process_fork(forbid_child);
}

/**
 * tprof_rdpmc_get_probe - begin to take the permission from children
 *
 * Context: process, may sleep, without the CPU hotplug lock.
 * Return: 0, or -errno if this kernel lacks the tracepoint.
 */
int tprof_rdpmc_get_probe(void)
{
	int err = 0;

	mutex_lock(&fork_probe_lock);
	if (!nr_users)
		err = tprof_tracepoint_register("sched_process_fork", forbid_child, NULL);
	if (!err)
		nr_users++;
	mutex_unlock(&fork_probe_lock);
	return err;
}

/**
 * tprof_rdpmc_put_probe - undo tprof_rdpmc_get_probe()
 *
 * No count page of the session is mapped any more. A fork that another thread has begun
 * before the last of them was unmapped may still leave the permission to its child.
 *
 * Context: same as tprof_rdpmc_get_probe().
 */
void tprof_rdpmc_put_probe(void)
{
	mutex_lock(&fork_probe_lock);
	if (!--nr_users)
		tprof_tracepoint_unregister("sched_process_fork", forbid_child, NULL);
	mutex_unlock(&fork_probe_lock);
	/* The module may be unloaded only when no probe runs any more. */
	tracepoint_synchronize_unregister();
}

/*
 * Let each CPU that has loaded @mm leave it. A thread of the process that runs there is
 * preempted by the worker, and the switch back to it updates CR4. Return false if a real-time
 * task did not let a worker run.
 *
 * Barrier R, pairs with the kernel's switch to @mm: change @perf_rdpmc_allowed before reading
 * mm_cpumask(). A CPU that loads @mm meanwhile has its bit there or sees the new number.
 */
static bool reload_mm(struct mm_struct *mm)
{
	return tprof_workers_run(mm_cpumask(mm), tprof_workers_leave_mm);
}

/**
 * tprof_rdpmc_allow - let a process execute RDPMC
 * @mm:	address space of the current task
 *
 * Context: process, under the lock of @mm for writing.
 * Return: 0, or -EBUSY if a real-time task occupies a CPU.
 */
int tprof_rdpmc_allow(struct mm_struct *mm)
{
	if (atomic_inc_return(&mm->context.perf_rdpmc_allowed) == 1 && !reload_mm(mm)) {
		tprof_rdpmc_disallow(mm);
		return -EBUSY;
	}
	return 0;
}

/**
 * tprof_rdpmc_keep - count one more mapping of a process that may execute RDPMC already
 * @mm:	address space
 *
 * Context: process, under the lock of @mm for writing.
 */
void tprof_rdpmc_keep(struct mm_struct *mm)
{
	atomic_inc(&mm->context.perf_rdpmc_allowed);
}

/**
 * tprof_rdpmc_disallow - undo tprof_rdpmc_allow()
 * @mm:	address space
 *
 * If a real-time thread of the process occupies a CPU, it keeps the permission until its CPU
 * switches to another process.
 *
 * Context: process, under the lock of @mm, or at the end of @mm.
 */
void tprof_rdpmc_disallow(struct mm_struct *mm)
{
	if (atomic_dec_and_test(&mm->context.perf_rdpmc_allowed) && atomic_read(&mm->mm_users))
		reload_mm(mm);
}

/**
 * tprof_rdpmc_is_allowed - report whether the current task may execute RDPMC
 *
 * Context: process, with interrupts off or not.
 * Return: false if it may not, for example as sysfs forbids it.
 */
bool tprof_rdpmc_is_allowed(void)
{
	unsigned long flags, cr4;

	local_irq_save(flags);
	cr4 = cr4_read_shadow();
	local_irq_restore(flags);
	return cr4 & X86_CR4_PCE;
}
