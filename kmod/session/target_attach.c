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
#include "session/access.h"
#include "session/gate.h"
#include "session/target.h"

/*
 * How often to look for descendants that were forked meanwhile. Few times are enough, unless a
 * user's processes fork to keep ATTACH busy.
 */
#define WATCH_ROUNDS	100

/*
 * Add the process unless it has exited. If it exits later, probe_exit() finds it in
 * @present, because do_exit() sets @live to 0 before probe_exit() takes the lock.
 */
static int insert_process(struct tprof_target *target, const struct task_struct *task,
			  bool is_heir)
{
	lockdep_assert_held(&target->lock);
	if (tprof_target_has_exited(task))
		return -ESRCH;
	__set_bit(task->tgid, target->all.pids);
	if (is_heir)
		__set_bit(task->tgid, target->heirs);
	if (!__test_and_set_bit(task->tgid, target->present))
		target->nr_present++;
	return 0;
}

static int add_process(struct tprof_target *target, const struct task_struct *task,
		       bool is_heir)
{
	unsigned long flags;
	int err;

	raw_spin_lock_irqsave(&target->lock, flags);
	err = insert_process(target, task, is_heir);
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

static bool is_present(const struct tprof_target *target, const struct task_struct *task)
{
	return test_bit(task->tgid, target->present);
}

/*
 * Mark in @tree each process that has a marked parent. A walk marks a child that the list has
 * before its parent only if the parent was marked before. So walk again until the function
 * returns false: no process was marked that has not exited and that is in the target
 * (@is_in) or not (!@is_in).
 */
static bool mark_children(const struct tprof_target *target, unsigned long *tree, bool is_in)
{
	struct task_struct *task;
	bool is_any = false;

	rcu_read_lock();
	for_each_process(task) {
		if (test_bit(task->tgid, tree) ||
		    !test_bit(rcu_dereference(task->real_parent)->tgid, tree))
			continue;
		__set_bit(task->tgid, tree);
		is_any |= is_present(target, task) == is_in && !tprof_target_has_exited(task);
	}
	rcu_read_unlock();
	cond_resched();
	return is_any && !fatal_signal_pending(current);
}

static unsigned long *alloc_tree(const s32 *tgids, u32 nr)
{
	unsigned long *tree = kvcalloc(TPROF_TARGET_LONGS, sizeof(*tree), TPROF_GFP);
	u32 i;

	for (i = 0; tree && i < nr; i++)
		__set_bit(tgids[i], tree);
	return tree;
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
	unsigned long *tree = alloc_tree(tgids, nr);
	bool is_any = false;

	if (!tree)
		return -ENOMEM;
	do {
		is_any |= add_marked(target, tree);
	} while (mark_children(target, tree, false));
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
	unsigned long *tree = alloc_tree(&tgid, 1);

	if (!tree)
		return -ENOMEM;
	do {
		remove_marked(target, tree);
	} while (mark_children(target, tree, true));
	kvfree(tree);
	return 0;
}

/*
 * Remove the process of @task if a thread has received other credentials since the check.
 * Return 0 or -EPERM. on_new_credentials() of target_follow.c says why both are needed.
 */
static int expel_strangers(struct tprof_target *target, struct task_struct *task)
{
	unsigned long flags;
	bool is_last;

	/*
	 * Barrier C, pairs with rcu_assign_pointer() in commit_creds() and the target lock in
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
		err = insert_process(target, task, is_heir);
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
		if (!test_bit(task->tgid, tree) || is_present(target, task) ||
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

/* Add the descendants of marked processes; see watch_trees(). */
static int watch_marked(struct tprof_target *target, unsigned long *tree)
{
	int err, rounds = 0;

	do {
		while (mark_children(target, tree, false))
			;
		err = watch_strays(target, tree);
		if (fatal_signal_pending(current))
			err = -EINTR;
		else if (err > 0 && ++rounds == WATCH_ROUNDS)
			err = -EAGAIN;
	} while (err > 0);
	return err;
}

/*
 * Add the processes in @tgids, and those of their descendants that the watcher may
 * observe. As in add_trees(), a walk that adds none is the last one.
 */
static int watch_trees(struct tprof_target *target, const s32 *tgids, u32 nr)
{
	unsigned long *tree;
	int err = 0;
	u32 i;

	for (i = 0; i < nr && !err; i++)
		err = watch_named(target, tgids[i], true);
	if (err)
		return err;
	tree = alloc_tree(tgids, nr);
	if (!tree)
		return -ENOMEM;
	err = watch_marked(target, tree);
	kvfree(tree);
	return err;
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
		err = watch_trees(target, tgids, nr);
	else if (!err)
		err = add_trees(target, tgids, nr);
	kfree(tgids);
	return err;
}

/* do_exit() sets PF_EXITING before probe_exit() takes the lock: see add_process(). */
static int insert_thread(struct tprof_target *target, const struct task_struct *task)
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
	err = insert_thread(target, task);
	raw_spin_unlock_irqrestore(&target->lock, flags);
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
		err = task->self_exec_id == exec_id ? insert_thread(target, task) : -EAGAIN;
		raw_spin_unlock_irqrestore(&target->lock, flags);
	} while (err == -EAGAIN && !fatal_signal_pending(current));
	return err ?: expel_strangers(target, task);
}

static int attach_watched(struct tprof_target *target, struct task_struct *task, u32 flags)
{
	s32 tgid = task->tgid;
	int err;

	if (flags & TPROF_LX_TARGET_THREAD)
		return watch_thread(target, task);
	if (is_present(target, task))
		return -EEXIST;
	if (flags & TPROF_LX_TARGET_ALONE)
		return watch_named(target, tgid, false);
	err = watch_trees(target, &tgid, 1);
	if (err && is_present(target, task) && remove_tree(target, tgid))
		remove_process(target, tgid);
	return err;
}

/**
 * tprof_target_attach - add a process or a thread
 * @target:	target
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
		return attach_watched(target, task, flags);
	if (flags & TPROF_LX_TARGET_THREAD)
		return attach_thread(target, task);
	if (is_present(target, task))
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
 * @target:	target
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
	if (!is_present(target, task))
		return -EINVAL;
	return remove_tree(target, task->tgid);
}
