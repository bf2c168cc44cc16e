// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - add tasks to a target that has a watcher
 *
 * Each task is checked before it is added, and its credentials again after that.
 *
 * Context: process. The session lock serialises these functions. Probes of tracepoints
 * may change the target at the same time.
 */
#include <linux/bitmap.h>
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
#include "session/access.h"
#include "session/gate.h"
#include "session/target_tree.h"
#include "session/target_watch.h"

/*
 * How often to look for descendants that were forked meanwhile. Few times are enough, unless a
 * user's processes fork to keep ATTACH busy.
 */
#define WATCH_ROUNDS	100

/*
 * Remove the process of @task if a thread has received other credentials since the check.
 * Return 0 or -EPERM. on_new_credentials() of target_follow.c says why both are needed.
 */
static int expel_strangers(struct tprof_target *target, struct task_struct *task)
{
	unsigned long flags;
	bool is_last;

	/*
	 * Barrier T, pairs with rcu_assign_pointer() in commit_creds() and the target lock in
	 * on_new_credentials(): insert @task before its credentials are read.
	 */
	smp_mb();
	if (tprof_access_allows_process(target->watcher, task))
		return 0;
	raw_spin_lock_irqsave(&target->lock, flags);
	is_last = tprof_target_expel(target, task);
	raw_spin_unlock_irqrestore(&target->lock, flags);
	if (is_last)
		schedule_delayed_work(target->empty_work, 0);
	/* The process may have opened gates meanwhile. */
	tprof_gate_look_everywhere();
	return -EPERM;
}

/*
 * Add the process of @task, which leads it, if the watcher may observe it. The check is of
 * one program. If the process has called execve(2) since, return -EAGAIN. If it calls
 * execve(2) later, probe_exec() finds it in the target, and checks the new program.
 */
static int watch_process(struct tprof_target *target, struct task_struct *task,
			 bool is_heir)
{
	unsigned long flags;
	u64 exec_id;
	int err;

	/* The check comes after this read. */
	exec_id = smp_load_acquire(&task->self_exec_id);
	err = tprof_access_check(target->watcher, task);
	if (err)
		return err;
	raw_spin_lock_irqsave(&target->lock, flags);
	/* After execve(2) by another thread, @task does not lead the process. */
	if (task->self_exec_id != exec_id || !thread_group_leader(task))
		err = -EAGAIN;
	else
		err = tprof_target_insert_process(target, task, is_heir);
	raw_spin_unlock_irqrestore(&target->lock, flags);
	return err ?: expel_strangers(target, task);
}

static struct task_struct *get_leader(s32 tgid)
{
	struct task_struct *task;

	rcu_read_lock();
	task = pid_task(find_pid_ns(tgid, &init_pid_ns), PIDTYPE_TGID);
	if (task)
		get_task_struct(task);
	rcu_read_unlock();
	return task;
}

static int watch_named(struct tprof_target *target, s32 tgid, bool is_heir)
{
	struct task_struct *task;
	int err;

	do {
		task = get_leader(tgid);
		if (!task)
			return -ESRCH;
		err = watch_process(target, task, is_heir);
		put_task_struct(task);
	} while (err == -EAGAIN && !fatal_signal_pending(current));
	return err;
}

/*
 * Get those processes in @tree that are not in the target, at most @room of them. Return
 * their number, which may be larger.
 */
static u32 find_strays(const struct tprof_target *target, const unsigned long *tree,
		       struct task_struct **strays, u32 room)
{
	struct task_struct *task;
	u32 found = 0;

	rcu_read_lock();
	for_each_process(task) {
		if (!test_bit(task->tgid, tree) || tprof_target_has_process(target, task) ||
		    tprof_target_has_exited(task))
			continue;
		if (found < room)
			strays[found] = get_task_struct(task);
		found++;
	}
	rcu_read_unlock();
	return found;
}

/* Add strays that the watcher may observe. Return how many to look after again, or -ENOMEM. */
static int watch_strays(struct tprof_target *target, const unsigned long *tree)
{
	u32 room = find_strays(target, tree, NULL, 0), i, found;
	struct task_struct **strays;
	int err, added = 0;

	strays = kvcalloc(room + 1, sizeof(*strays), TPROF_GFP);
	if (!strays)
		return -ENOMEM;
	found = min(room, find_strays(target, tree, strays, room));
	for (i = 0; i < found; i++) {
		err = watch_process(target, strays[i], true);
		added += !err || err == -EAGAIN;
		put_task_struct(strays[i]);
		cond_resched();
	}
	kvfree(strays);
	return added;
}

/* Add the descendants of marked processes; see tprof_target_watch_trees(). */
static int watch_marked(struct tprof_target *target, unsigned long *tree)
{
	int err, rounds = 0;

	do {
		while (tprof_tree_mark_children(target, tree, false))
			;
		err = watch_strays(target, tree);
		if (fatal_signal_pending(current))
			err = -EINTR;
		else if (err > 0 && ++rounds == WATCH_ROUNDS)
			err = -EAGAIN;
	} while (err > 0);
	return err;
}

/**
 * tprof_target_watch_trees - add processes, and those of their descendants that the watcher
 *			      may observe
 * @target:	target
 * @tgids:	ids of the processes
 * @nr:		number of @tgids
 *
 * As in add_trees(), a walk that adds none is the last one.
 *
 * Return: 0, or -errno; then some may have been added.
 */
int tprof_target_watch_trees(struct tprof_target *target, const s32 *tgids, u32 nr)
{
	unsigned long *tree;
	int err = 0;
	u32 i;

	for (i = 0; i < nr && !err; i++)
		err = watch_named(target, tgids[i], true);
	if (err)
		return err;
	tree = tprof_tree_alloc(tgids, nr);
	if (!tree)
		return -ENOMEM;
	err = watch_marked(target, tree);
	kvfree(tree);
	return err;
}

/* The same for a target with a watcher; see watch_process(). */
static int watch_thread(struct tprof_target *target, struct task_struct *task)
{
	unsigned long flags;
	u64 exec_id;
	int err;

	do {
		/* As in watch_process(). */
		exec_id = smp_load_acquire(&task->self_exec_id);
		err = tprof_access_check(target->watcher, task);
		if (err)
			return err;
		raw_spin_lock_irqsave(&target->lock, flags);
		err = task->self_exec_id != exec_id ?
		      -EAGAIN : tprof_target_insert_thread(target, task);
		raw_spin_unlock_irqrestore(&target->lock, flags);
	} while (err == -EAGAIN && !fatal_signal_pending(current));
	return err ?: expel_strangers(target, task);
}

/*
 * Mark the descendants of marked processes, but neither those in @before, nor theirs. Return
 * true if some were marked.
 */
static bool mark_newcomers(unsigned long *tree, const unsigned long *before)
{
	struct task_struct *task;
	bool is_any = false;

	rcu_read_lock();
	for_each_process(task) {
		if (test_bit(rcu_dereference(task->real_parent)->tgid, tree) &&
		    !test_bit(task->tgid, before) && !__test_and_set_bit(task->tgid, tree))
			is_any = true;
	}
	rcu_read_unlock();
	cond_resched();
	return is_any;
}

/* Remove the heirs in a tree. All that tprof_target_watch_trees() adds are heirs. */
static void remove_heirs(struct tprof_target *target, const unsigned long *tree)
{
	struct task_struct *task;
	unsigned long flags;

	rcu_read_lock();
	for_each_process(task) {
		raw_spin_lock_irqsave(&target->lock, flags);
		if (test_bit(task->tgid, tree) && test_bit(task->tgid, target->heirs))
			tprof_target_remove_process(target, task->tgid);
		raw_spin_unlock_irqrestore(&target->lock, flags);
	}
	rcu_read_unlock();
}

/*
 * Attach a process and those of its descendants that the watcher may observe. On an error,
 * remove those that were added, and their children; but no heirs of before, nor theirs.
 */
static int watch_tree(struct tprof_target *target, s32 tgid)
{
	unsigned long *tree, *before, flags;
	int err;

	tree = kvcalloc(2 * TPROF_TARGET_LONGS, sizeof(*tree), TPROF_GFP);
	if (!tree)
		return -ENOMEM;
	before = tree + TPROF_TARGET_LONGS;
	raw_spin_lock_irqsave(&target->lock, flags);
	bitmap_and(before, target->heirs, target->present, PID_MAX_LIMIT);
	raw_spin_unlock_irqrestore(&target->lock, flags);
	err = tprof_target_watch_trees(target, &tgid, 1);
	if (err) {
		__set_bit(tgid, tree);
		do {
			remove_heirs(target, tree);
		} while (mark_newcomers(tree, before));
	}
	kvfree(tree);
	return err;
}

/**
 * tprof_target_watch - add a process or a thread to a target that has a watcher
 * @target:	target
 * @task:	thread, or any thread of the process
 * @flags:	enum tprof_lx_target_flag
 *
 * Return: the same as tprof_target_attach().
 */
int tprof_target_watch(struct tprof_target *target, struct task_struct *task, u32 flags)
{
	if (flags & TPROF_LX_TARGET_THREAD)
		return watch_thread(target, task);
	if (tprof_target_has_process(target, task))
		return -EEXIST;
	if (flags & TPROF_LX_TARGET_ALONE)
		return watch_named(target, task->tgid, false);
	return watch_tree(target, task->tgid);
}
