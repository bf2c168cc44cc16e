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

#include "base/grace.h"
#include "base/tracepoints.h"
#include "base/workers.h"
#include "rights/rdpmc.h"

/* How often to try to take the permission from CPUs, where other tasks may delay a worker. */
#define RELOADS	4

/* Protects @has_fork_probe; taken inside the session lock. */
static DEFINE_MUTEX(fork_probe_lock);
/* The probe forbid_child() is registered. */
static bool has_fork_probe;

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
 * tprof_rdpmc_forbid_children - begin to take the permission from children
 *
 * That ends when the module is unloaded, not when the last page is unmapped: a fork that began
 * before may copy the number, and wait for the lock of the address space.
 *
 * Context: process, may sleep, without the CPU hotplug lock.
 * Return: 0, or -errno if this kernel lacks the tracepoint.
 */
int tprof_rdpmc_forbid_children(void)
{
	int err = 0;

	mutex_lock(&fork_probe_lock);
	if (!has_fork_probe) {
		err = tprof_tracepoint_register("sched_process_fork", forbid_child, NULL);
		has_fork_probe = !err;
	}
	mutex_unlock(&fork_probe_lock);
	return err;
}

/**
 * tprof_rdpmc_uninit - undo tprof_rdpmc_forbid_children()
 *
 * Context: unloading the module, without sessions.
 */
void tprof_rdpmc_uninit(void)
{
	if (!has_fork_probe)
		return;
	tprof_tracepoint_unregister("sched_process_fork", forbid_child, NULL);
	tprof_grace_of_probes();
}

/*
 * Let each CPU that has loaded @mm leave it. A thread of the process that runs there is
 * preempted by the worker, and the switch back to it updates CR4. Return false if another task
 * did not let a worker run.
 *
 * Barrier R, pairs with the kernel's switch to @mm: change @perf_rdpmc_allowed before reading
 * mm_cpumask(). A CPU that loads @mm meanwhile has its bit there or sees the new number.
 */
static bool reload_mm(struct mm_struct *mm)
{
	return tprof_workers_run(mm_cpumask(mm), tprof_workers_leave_mm);
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
	cr4 = __read_cr4();
	local_irq_restore(flags);
	return cr4 & X86_CR4_PCE;
}

/**
 * tprof_rdpmc_allow - let a process execute RDPMC
 * @mm:	address space of the current task
 *
 * Context: process, under the lock of @mm for writing.
 * The number may also be raised by a worker of x86_dirty.c, which does not reload @mm here.
 *
 * Return: 0, or -EBUSY if a real-time task occupies a CPU.
 */
int tprof_rdpmc_allow(struct mm_struct *mm)
{
	bool is_first = atomic_inc_return(&mm->context.perf_rdpmc_allowed) == 1;

	if ((is_first || !tprof_rdpmc_is_allowed()) && !reload_mm(mm)) {
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
 * If a real-time thread of the process occupies a CPU for seconds, it keeps the permission
 * until its CPU switches to another process.
 *
 * Context: process, under the lock of @mm, or at the end of @mm.
 */
void tprof_rdpmc_disallow(struct mm_struct *mm)
{
	int tries = RELOADS;

	if (!atomic_dec_and_test(&mm->context.perf_rdpmc_allowed) || !atomic_read(&mm->mm_users))
		return;
	while (!reload_mm(mm) && --tries)
		;
}
