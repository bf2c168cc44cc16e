// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the processes of a target, and their descendants
 *
 * A tree is a bitmap of process ids. The functions mark the descendants of its processes.
 *
 * Context: process, if not stated otherwise. The session lock serialises these functions.
 * Probes of tracepoints may change the target at the same time.
 */
#include <linux/bitops.h>
#include <linux/rculist.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "base/gfp.h"
#include "target/target_tree.h"

/**
 * tprof_target_insert_process - add a process unless it has exited
 * @task:	any thread of the process
 * @is_heir:	its children become targets, too
 *
 * If the process exits later, probe_exit() finds it in @present, because do_exit() sets @live
 * to 0 before probe_exit() takes the lock.
 *
 * Context: any but NMI, under @target->lock.
 * Return: 0 or -ESRCH.
 */
int tprof_target_insert_process(struct tprof_target *target, const struct task_struct *task,
				bool is_heir)
{
	lockdep_assert_held(&target->lock);
	if (tprof_target_has_exited(task))
		return -ESRCH;
	tprof_target_put_bit(task->tgid, target->all.pids, true);
	if (is_heir)
		tprof_target_put_bit(task->tgid, target->heirs, true);
	if (!tprof_target_put_bit(task->tgid, target->present, true))
		tprof_target_add_present(target);
	return 0;
}

/**
 * tprof_target_insert_thread - add a thread unless it exits
 * @task:	thread
 *
 * do_exit() sets PF_EXITING before probe_exit() takes the lock, as in
 * tprof_target_insert_process().
 *
 * Context: any but NMI, under @target->lock.
 * Return: 0; -ESRCH; -EEXIST if it is a target already.
 */
int tprof_target_insert_thread(struct tprof_target *target, const struct task_struct *task)
{
	lockdep_assert_held(&target->lock);
	/* Racy read: the thread may be writing other bits of its own @flags. */
	if (data_race(task->flags) & PF_EXITING)
		return -ESRCH;
	if (tprof_target_has_process(target, task) ||
	    tprof_target_put_bit(task->pid, target->all.tids, true))
		return -EEXIST;
	tprof_target_put_bit(task->tgid, target->all.hosts, true);
	tprof_target_add_present(target);
	return 0;
}

/**
 * tprof_tree_alloc - allocate a tree with some processes
 * @tgids:	ids of the processes
 * @nr:		number of @tgids
 *
 * Return: bitmap, which kvfree() frees, or NULL.
 */
unsigned long *tprof_tree_alloc(const s32 *tgids, u32 nr)
{
	unsigned long *tree = kvcalloc(TPROF_TARGET_LONGS, sizeof(*tree), TPROF_GFP);
	u32 i;

	for (i = 0; tree && i < nr; i++)
		__set_bit(tgids[i], tree);
	return tree;
}

/**
 * tprof_tree_mark_children - mark each process that has a marked parent
 * @tree:	bitmap of process ids, of which the marked ones have their bits set
 * @is_in:	which processes to report
 *
 * A walk marks a child that the list has before its parent only if the parent was marked
 * before. So walk again until the function returns false.
 *
 * Return: true if a process was marked that has not exited and that is in the target
 * (@is_in) or not (!@is_in).
 */
bool tprof_tree_mark_children(const struct tprof_target *target, unsigned long *tree, bool is_in)
{
	struct task_struct *task;
	bool is_any = false;

	rcu_read_lock();
	for_each_process(task) {
		if (test_bit(task->tgid, tree) ||
		    !test_bit(rcu_dereference(task->real_parent)->tgid, tree))
			continue;
		__set_bit(task->tgid, tree);
		is_any |= tprof_target_has_process(target, task) == is_in &&
			  !tprof_target_has_exited(task);
	}
	rcu_read_unlock();
	cond_resched();
	return is_any && !fatal_signal_pending(current);
}
