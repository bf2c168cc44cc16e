// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - add tasks to a target that has a watcher
 *
 * Each task is checked before it is added, and its credentials again after that.
 *
 * Context: process. The session lock serialises these functions. Probes of tracepoints
 * may change the target at the same time.
 */
#include <linux/bitops.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/tprof_lx.h>

#include "base/gfp.h"
#include "gate/gate.h"
#include "rights/access.h"
#include "target/target_follow.h"
#include "target/target_tree.h"
#include "target/target_watch.h"

/*
 * How often to walk all tasks for descendants that were forked meanwhile. Few times are enough,
 * unless a user's processes fork to keep ATTACH busy.
 */
#define WATCH_ROUNDS	100

/* How many process ids to look at with interrupts off. */
#define UNDO_AT_ONCE	4096UL

/*
 * Remove the process of @task if a thread has received other credentials since the check.
 * Return 0 or -EPERM. on_new_credentials() of target_cred.c says why both are needed.
 */
static int expel_strangers(struct tprof_target *target, struct task_struct *task)
{
	unsigned long flags;
	bool may_be_over;

	/*
	 * Barrier T, pairs with rcu_assign_pointer() in commit_creds() and the target lock in
	 * on_new_credentials(): insert @task before its credentials are read.
	 */
	smp_mb();
	if (tprof_access_allows_process(target->watcher, task))
		return 0;
	raw_spin_lock_irqsave(&target->lock, flags);
	may_be_over = tprof_target_expel(target, task);
	raw_spin_unlock_irqrestore(&target->lock, flags);
	if (may_be_over)
		schedule_delayed_work(target->empty_work, 0);
	/* The process may have opened gates meanwhile. */
	tprof_gate_look_everywhere();
	return -EPERM;
}

/* Forks may have added the process already; then undo_attach() must not remove it. */
static int insert_process(struct tprof_target *target, const struct task_struct *task,
			  bool is_heir)
{
	bool is_new = !tprof_target_has_process(target, task);
	int err = tprof_target_insert_process(target, task, is_heir);

	if (!err && is_new && target->added)
		__set_bit(task->tgid, target->added);
	return err;
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
		while (tprof_tree_mark_children(target, tree, false) && rounds < WATCH_ROUNDS)
			rounds++;
		err = watch_strays(target, tree);
		if (fatal_signal_pending(current))
			err = -EINTR;
		else if (err >= 0 && ++rounds >= WATCH_ROUNDS)
			err = -EAGAIN;
	} while (err > 0);
	return err;
}

/**
 * tprof_target_watch_trees - add processes, and those of their descendants that the watcher
 *			      may observe
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

static void set_added(struct tprof_target *target, unsigned long *added)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&target->lock, flags);
	target->added = added;
	raw_spin_unlock_irqrestore(&target->lock, flags);
}

/* Remove some of the processes that were added. Return true if there were any. */
static bool remove_added(struct tprof_target *target, unsigned long first)
{
	unsigned long tgid = first, end = min(first + UNDO_AT_ONCE, PID_MAX_LIMIT), flags;
	bool is_any = false;

	raw_spin_lock_irqsave(&target->lock, flags);
	for_each_set_bit_from(tgid, target->added, end) {
		__clear_bit(tgid, target->added);
		tprof_target_remove_process(target, tgid);
		is_any = true;
	}
	raw_spin_unlock_irqrestore(&target->lock, flags);
	cond_resched();
	return is_any;
}

/*
 * Remove what the ATTACH under way has added. Forks may add children of a process until it is
 * removed, so walk again until there are none. If the target was not empty (@had_tasks), and is
 * now, the last of the other tasks has exited meanwhile.
 */
static void undo_attach(struct tprof_target *target, bool had_tasks)
{
	bool is_any, was_any = false;
	unsigned long first;

	do {
		is_any = false;
		for (first = 0; first < PID_MAX_LIMIT; first += UNDO_AT_ONCE)
			is_any |= remove_added(target, first);
		was_any |= is_any;
	} while (is_any);
	if (!was_any)
		return;
	if (had_tasks && tprof_target_is_empty(target)) {
		WRITE_ONCE(target->is_over, true);
		schedule_delayed_work(target->empty_work, 0);
	}
	tprof_gate_look_everywhere();
}

/* Attach a process and those of its descendants that the watcher may observe. */
static int watch_tree(struct tprof_target *target, s32 tgid)
{
	bool had_tasks = !tprof_target_is_empty(target) || tprof_target_is_over(target);
	unsigned long *added;
	int err;

	added = kvcalloc(TPROF_TARGET_LONGS, sizeof(*added), TPROF_GFP);
	if (!added)
		return -ENOMEM;
	set_added(target, added);
	err = tprof_target_watch_trees(target, &tgid, 1);
	if (err)
		undo_attach(target, had_tasks);
	set_added(target, NULL);
	kvfree(added);
	return err;
}

/**
 * tprof_target_watch - add a process or a thread to a target that has a watcher
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
