// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - add processes and threads to a target, and remove them
 *
 * Context: process. The session lock serialises these functions. Probes of tracepoints
 * may change the target at the same time.
 */
#include <linux/bitops.h>
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/tprof_lx.h>

#include "base/gfp.h"
#include "session/target.h"

/*
 * Add the process unless it has exited. If it exits later, probe_exit() finds it in
 * @present, because do_exit() sets @live to 0 before probe_exit() takes the lock.
 */
static bool add_process(struct tprof_target *target, const struct task_struct *task,
			bool is_heir)
{
	unsigned long flags;
	bool has_exited;

	raw_spin_lock_irqsave(&target->lock, flags);
	has_exited = tprof_target_has_exited(task);
	if (!has_exited) {
		__set_bit(task->tgid, target->all.pids);
		if (is_heir)
			__set_bit(task->tgid, target->heirs);
		if (!__test_and_set_bit(task->tgid, target->present))
			target->nr_present++;
	}
	raw_spin_unlock_irqrestore(&target->lock, flags);
	return !has_exited;
}

static bool remove_process(struct tprof_target *target, pid_t tgid)
{
	unsigned long flags;
	bool was_present;

	raw_spin_lock_irqsave(&target->lock, flags);
	__clear_bit(tgid, target->all.pids);
	__clear_bit(tgid, target->execs.pids);
	__clear_bit(tgid, target->heirs);
	was_present = __test_and_clear_bit(tgid, target->present);
	if (was_present)
		target->nr_present--;
	raw_spin_unlock_irqrestore(&target->lock, flags);
	return was_present;
}

static bool is_named(pid_t tgid, const s32 *tgids, u32 nr)
{
	u32 i;

	for (i = 0; i < nr; i++) {
		if (tgids[i] == tgid)
			return true;
	}
	return false;
}

static bool task_descends(struct task_struct *task, const s32 *tgids, u32 nr)
{
	struct task_struct *parent;

	/* The loop ends at init_task, which is its own parent. */
	for (;;) {
		if (is_named(task->tgid, tgids, nr))
			return true;
		parent = rcu_dereference(task->real_parent);
		if (parent == task)
			return false;
		task = parent;
	}
}

/*
 * Add the processes in @tgids and all their present descendants. A process that is
 * forked during the walk is at the end of the list of processes before probe_fork()
 * copies the bit of its parent. So if the parent had no bit yet, the walk still reaches
 * the child. The walk may visit a child before its parent, so task_descends() looks at
 * all ancestors.
 */
static bool add_trees(struct tprof_target *target, const s32 *tgids, u32 nr)
{
	struct task_struct *task;
	bool is_any = false;

	rcu_read_lock();
	for_each_process(task) {
		if (task_descends(task, tgids, nr) && add_process(target, task, true))
			is_any = true;
	}
	rcu_read_unlock();
	return is_any;
}

/*
 * Remove a process and its present descendants. add_trees() says why the walk finds
 * all.
 */
static void remove_tree(struct tprof_target *target, pid_t tgid)
{
	struct task_struct *task;

	rcu_read_lock();
	for_each_process(task) {
		if (task_descends(task, &tgid, 1))
			remove_process(target, task->tgid);
	}
	rcu_read_unlock();
}

/* A user may name a process by the id of any of its threads. */
static int resolve_pid(s32 *tgids, const s32 *pids, u32 nr)
{
	struct task_struct *task;
	int err = 0;
	u32 i;

	rcu_read_lock();
	for (i = 0; i < nr && !err; i++) {
		task = pid_task(find_vpid(pids[i]), PIDTYPE_PID);
		if (task && !tprof_target_has_exited(task))
			tgids[i] = task->tgid;
		else
			err = -ESRCH;
	}
	rcu_read_unlock();
	return err;
}

/**
 * tprof_target_add - add processes and their descendants
 * @target:	target
 * @pids:	process ids; the id of a thread stands for its process
 * @nr:		number of @pids
 *
 * Context: process, may sleep.
 * Return: 0; -ENOMEM; -ESRCH if a process does not exist or has exited. On an error, no
 * process was added.
 */
int tprof_target_add(struct tprof_target *target, const s32 *pids, u32 nr)
{
	s32 *tgids;
	int err;

	tgids = kmalloc_array(nr, sizeof(*tgids), TPROF_GFP);
	if (!tgids)
		return -ENOMEM;
	err = resolve_pid(tgids, pids, nr);
	if (!err)
		add_trees(target, tgids, nr);
	kfree(tgids);
	return err;
}

static bool is_present(const struct tprof_target *target, const struct task_struct *task)
{
	return test_bit(task->tgid, target->present);
}

/* do_exit() sets PF_EXITING before probe_exit() takes the lock: see add_process(). */
static int add_thread(struct tprof_target *target, const struct task_struct *task)
{
	lockdep_assert_held(&target->lock);
	/* Racy read: the thread may be writing other bits of its own @flags. */
	if (data_race(task->flags) & PF_EXITING)
		return -ESRCH;
	if (is_present(target, task) || __test_and_set_bit(task->pid, target->all.tids))
		return -EEXIST;
	__set_bit(task->tgid, target->all.hosts);
	target->nr_present++;
	return 0;
}

static int attach_thread(struct tprof_target *target, const struct task_struct *task)
{
	unsigned long flags;
	int err;

	raw_spin_lock_irqsave(&target->lock, flags);
	err = add_thread(target, task);
	raw_spin_unlock_irqrestore(&target->lock, flags);
	return err;
}

/**
 * tprof_target_attach - add a process or a thread
 * @target:	target
 * @task:	thread, or any thread of the process
 * @flags:	enum tprof_lx_target_flag
 *
 * Context: process, under the session lock.
 * Return: 0, -EEXIST if it is a target already, or -ESRCH if it has exited.
 */
int tprof_target_attach(struct tprof_target *target, struct task_struct *task, u32 flags)
{
	s32 tgid = task->tgid;

	if (flags & TPROF_LX_TARGET_THREAD)
		return attach_thread(target, task);
	if (is_present(target, task))
		return -EEXIST;
	if (flags & TPROF_LX_TARGET_ALONE)
		return add_process(target, task, false) ? 0 : -ESRCH;
	return !tprof_target_has_exited(task) && add_trees(target, &tgid, 1) ? 0 : -ESRCH;
}

static int detach_thread(struct tprof_target *target, const struct task_struct *task)
{
	unsigned long flags;
	bool is_removed;

	raw_spin_lock_irqsave(&target->lock, flags);
	is_removed = tprof_target_remove_thread(target, task->pid);
	raw_spin_unlock_irqrestore(&target->lock, flags);
	return is_removed ? 0 : -EINVAL;
}

/**
 * tprof_target_detach - remove a process or a thread
 * @target:	target
 * @task:	thread, or any thread of the process
 * @flags:	enum tprof_lx_target_flag
 *
 * Context: process, under the session lock.
 * Return: 0, or -EINVAL if it is not a target.
 */
int tprof_target_detach(struct tprof_target *target, struct task_struct *task, u32 flags)
{
	if (flags & TPROF_LX_TARGET_THREAD)
		return detach_thread(target, task);
	if (flags & TPROF_LX_TARGET_ALONE)
		return remove_process(target, task->tgid) ? 0 : -EINVAL;
	if (!is_present(target, task))
		return -EINVAL;
	remove_tree(target, task->tgid);
	return 0;
}
