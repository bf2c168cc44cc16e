// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - sessions whose events may share counters
 *
 * Events of two sessions may share a counter while no task is a target of both. START
 * checks that, and so does ATTACH. A fork copies the membership of one parent, so it changes
 * nothing.
 *
 * Context: process, under the session lock.
 */
#include <linux/bitops.h>
#include <linux/cpu.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/tprof_lx.h>

#include "base/gfp.h"
#include "base/meeting.h"
#include "session/seats.h"
#include "target/target_attach.h"

/*
 * Between the check and the change that it allows, no event starts, and a session that uses
 * counters gets no target.
 * Taken inside the session lock, and outside the CPU hotplug lock.
 */
static DEFINE_MUTEX(seats_lock);

/**
 * tprof_seats_start - start events
 * @crew:	events of a session, prepared
 * @mask:	events to start, none running
 *
 * Return: the same as tprof_cpu_start(); -EINTR if a signal killed the task.
 */
int tprof_seats_start(struct tprof_crew *crew, u32 mask)
{
	int err = mutex_lock_killable(&seats_lock);

	if (err)
		return err;
	tprof_meeting_begin_round();
	err = tprof_cpu_start(crew, mask);
	mutex_unlock(&seats_lock);
	return err;
}

/*
 * Mark the children of marked processes. A child stands behind its parent in the list. So the
 * first call marks all descendants, and the second one finds those forked meanwhile.
 */
static void mark_offspring(unsigned long *pids)
{
	struct task_struct *task;

	rcu_read_lock();
	for_each_process(task) {
		if (test_bit(rcu_dereference(task->real_parent)->tgid, pids))
			__set_bit(task->tgid, pids);
	}
	rcu_read_unlock();
	cond_resched();
}

/* Allocate the set of the tasks that ATTACH would add now. kvfree() of @pids frees it. */
static int alloc_newcomers(struct tprof_tasks *tasks, const struct task_struct *task, u32 flags)
{
	unsigned long *bits = kvcalloc(2 * TPROF_TARGET_LONGS, sizeof(*bits), TPROF_GFP);

	if (!bits)
		return -ENOMEM;
	*tasks = (struct tprof_tasks){
		.pids = bits,
		.tids = bits + TPROF_TARGET_LONGS,
	};
	if (flags & TPROF_LX_TARGET_THREAD)
		__set_bit(task->pid, tasks->tids);
	else
		__set_bit(task->tgid, tasks->pids);
	if (!(flags & (TPROF_LX_TARGET_THREAD | TPROF_LX_TARGET_ALONE))) {
		mark_offspring(tasks->pids);
		mark_offspring(tasks->pids);
	}
	return 0;
}

/*
 * Children that are forked after this check are in the other session only if a parent is.
 *
 * If the target has a watcher, the check includes descendants that the watcher may not observe.
 * They may become observable before ATTACH adds them. So ATTACH may refuse more than it has to,
 * but never adds a task that was not checked.
 */
static int check_newcomers(struct tprof_crew *crew, const struct task_struct *task, u32 flags)
{
	struct tprof_tasks tasks;
	int err = alloc_newcomers(&tasks, task, flags);

	if (err)
		return err;
	err = tprof_cpu_collides(crew, &tasks) ? -EBUSY : 0;
	kvfree(tasks.pids);
	return err;
}

/* Return true if a running event could share a counter with one of another session. */
static bool may_collide(const struct tprof_crew *crew)
{
	unsigned long bits = crew->running;
	u32 i;

	for_each_set_bit(i, &bits, TPROF_LX_MAX_EVENTS) {
		if (crew->samplers[i]->pmu.ops->collides)
			return true;
	}
	return false;
}

/**
 * tprof_seats_attach - add a process or a thread to the targets of a session
 * @crew:	events of a session
 * @target:	its targets
 * @task:	thread, or any thread of the process
 * @flags:	enum tprof_lx_target_flag
 *
 * Return: the same as tprof_target_attach(); -EBUSY if events of the session share counters
 * with those of another session that has one of the tasks; -EINTR if a signal killed the task.
 */
int tprof_seats_attach(struct tprof_crew *crew, struct tprof_target *target,
		       struct task_struct *task, u32 flags)
{
	int err;

	/*
	 * Attaching many processes takes long. Do not make other sessions wait without a
	 * reason.
	 */
	if (!crew->gates || !may_collide(crew))
		return tprof_target_attach(target, task, flags);
	err = mutex_lock_killable(&seats_lock);
	if (err)
		return err;
	/* Events may begin to share a counter on a CPU that comes online. */
	cpus_read_lock();
	tprof_meeting_begin_round();
	err = check_newcomers(crew, task, flags);
	if (!err)
		err = tprof_target_attach(target, task, flags);
	cpus_read_unlock();
	mutex_unlock(&seats_lock);
	return err;
}
