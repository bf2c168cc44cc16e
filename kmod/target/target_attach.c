// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - add processes and threads to a target, and remove them
 *
 * Context: process. The session lock serialises these functions. Probes of tracepoints
 * may change the target at the same time.
 */
#include <linux/bitops.h>
#include <linux/mm.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/tprof_lx.h>

#include "base/gfp.h"
#include "target/target_attach.h"
#include "target/target_follow.h"
#include "target/target_tree.h"
#include "target/target_watch.h"

static int add_process(struct tprof_target *target, const struct task_struct *task,
		       bool is_heir)
{
	unsigned long flags;
	int err;

	raw_spin_lock_irqsave(&target->lock, flags);
	err = tprof_target_insert_process(target, task, is_heir);
	raw_spin_unlock_irqrestore(&target->lock, flags);
	return err;
}

static bool remove_process(struct tprof_target *target, pid_t tgid)
{
	unsigned long flags;
	bool was_present;

	raw_spin_lock_irqsave(&target->lock, flags);
	was_present = tprof_target_remove_process(target, tgid);
	raw_spin_unlock_irqrestore(&target->lock, flags);
	return was_present;
}

static bool add_marked(struct tprof_target *target, const unsigned long *tree)
{
	struct task_struct *task;
	bool is_any = false;

	rcu_read_lock();
	for_each_process(task) {
		if (test_bit(task->tgid, tree) && !add_process(target, task, true))
			is_any = true;
	}
	rcu_read_unlock();
	return is_any;
}

/*
 * Add the processes in @tgids and all their present descendants. A process of the target
 * hands its bit on to its children. So if a walk after the last addition marks none, no
 * descendant is missing. Return 0, -ESRCH if all have exited, or -ENOMEM.
 */
static int add_trees(struct tprof_target *target, const s32 *tgids, u32 nr)
{
	unsigned long *tree = tprof_tree_alloc(tgids, nr);
	bool is_any = false;

	if (!tree)
		return -ENOMEM;
	do {
		is_any |= add_marked(target, tree);
	} while (tprof_tree_mark_children(target, tree, false));
	kvfree(tree);
	return is_any ? 0 : -ESRCH;
}

static void remove_marked(struct tprof_target *target, const unsigned long *tree)
{
	struct task_struct *task;

	rcu_read_lock();
	for_each_process(task) {
		if (test_bit(task->tgid, tree))
			remove_process(target, task->tgid);
	}
	rcu_read_unlock();
}

/* Remove a process and its present descendants. Return 0 or -ENOMEM. */
static int remove_tree(struct tprof_target *target, s32 tgid)
{
	unsigned long *tree = tprof_tree_alloc(&tgid, 1);

	if (!tree)
		return -ENOMEM;
	do {
		remove_marked(target, tree);
	} while (tprof_tree_mark_children(target, tree, true));
	kvfree(tree);
	return 0;
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
 * @pids:	process ids; the id of a thread stands for its process
 * @nr:		number of @pids
 *
 * Context: process, may sleep.
 * Return: 0; -ENOMEM; -ESRCH if a process does not exist or has exited; -EPERM if the
 * watcher of @target may not observe it; -EINTR. On an error, the caller frees @target.
 */
int tprof_target_add(struct tprof_target *target, const s32 *pids, u32 nr)
{
	s32 *tgids;
	int err;

	tgids = kmalloc_array(nr, sizeof(*tgids), TPROF_GFP);
	if (!tgids)
		return -ENOMEM;
	err = resolve_pid(tgids, pids, nr);
	if (!err && target->watcher)
		err = tprof_target_watch_trees(target, tgids, nr);
	else if (!err)
		err = add_trees(target, tgids, nr);
	kfree(tgids);
	return err;
}

static int attach_thread(struct tprof_target *target, const struct task_struct *task)
{
	unsigned long flags;
	int err;

	raw_spin_lock_irqsave(&target->lock, flags);
	err = tprof_target_insert_thread(target, task);
	raw_spin_unlock_irqrestore(&target->lock, flags);
	return err;
}

/**
 * tprof_target_attach - add a process or a thread
 * @task:	thread, or any thread of the process
 * @flags:	enum tprof_lx_target_flag
 *
 * Context: process, under the session lock.
 * Return: 0; -EEXIST if it is a target already; -ESRCH if it has exited; -ENOMEM; if @target
 * has a watcher, also -EPERM or -EINTR.
 */
int tprof_target_attach(struct tprof_target *target, struct task_struct *task, u32 flags)
{
	s32 tgid = task->tgid;

	if (target->watcher)
		return tprof_target_watch(target, task, flags);
	if (flags & TPROF_LX_TARGET_THREAD)
		return attach_thread(target, task);
	if (tprof_target_has_process(target, task))
		return -EEXIST;
	if (flags & TPROF_LX_TARGET_ALONE)
		return add_process(target, task, false);
	return add_trees(target, &tgid, 1);
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
 * @task:	thread, or any thread of the process
 * @flags:	enum tprof_lx_target_flag
 *
 * Context: process, under the session lock.
 * Return: 0; -EINVAL if it is not a target; -ENOMEM.
 */
int tprof_target_detach(struct tprof_target *target, struct task_struct *task, u32 flags)
{
	if (flags & TPROF_LX_TARGET_THREAD)
		return detach_thread(target, task);
	if (flags & TPROF_LX_TARGET_ALONE)
		return remove_process(target, task->tgid) ? 0 : -EINVAL;
	if (!tprof_target_has_process(target, task))
		return -EINVAL;
	return remove_tree(target, task->tgid);
}
