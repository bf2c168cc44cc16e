// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the processes that a session samples
 *
 * Context: process. The probes are not preemptible. probe_fork() runs before
 * the child can run.
 */
#include <linux/bitops.h>
#include <linux/mutex.h>
#include <linux/pid.h>
#include <linux/rculist.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/threads.h>
#include <linux/tracepoint.h>
#include <trace/events/sched.h>

#include "base/gfp.h"
#include "base/tracepoints.h"
#include "session/gate.h"
#include "session/target.h"

/* Protects the list of targets; taken inside the session lock. */
static DEFINE_MUTEX(targets_lock);
static LIST_HEAD(targets);

static void follow_fork(struct tprof_target *target, pid_t parent, pid_t child)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&target->lock, flags);
	__assign_bit(child, target->pids, test_bit(parent, target->pids));
	__assign_bit(child, target->exec_pids, test_bit(parent, target->exec_pids));
	raw_spin_unlock_irqrestore(&target->lock, flags);
}

static void follow_exec(struct tprof_target *target, pid_t tgid)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&target->lock, flags);
	if (test_bit(tgid, target->pids))
		__set_bit(tgid, target->exec_pids);
	raw_spin_unlock_irqrestore(&target->lock, flags);
}

static void probe_fork(void *data, struct task_struct *parent,
		       struct task_struct *child)
{
	struct tprof_target *target;

	/* A new thread needs no bit, because @pids has one bit per process. */
	if (child->tgid == parent->tgid)
		return;
	rcu_read_lock();
	list_for_each_entry_rcu(target, &targets, node)
		follow_fork(target, parent->tgid, child->tgid);
	rcu_read_unlock();
}

/*
 * Note the exec of @task, the current task. If its process opens gates from now
 * on, open the gates of this CPU.
 */
static void probe_exec(void *data, struct task_struct *task, pid_t old_pid,
		       struct linux_binprm *bprm)
{
	struct tprof_target *target;

	rcu_read_lock();
	list_for_each_entry_rcu(target, &targets, node)
		follow_exec(target, task->tgid);
	rcu_read_unlock();
	tprof_gate_look();
}

static void __maybe_unused check_target_probes(void)
{
	check_trace_callback_type_sched_process_fork(probe_fork);
	check_trace_callback_type_sched_process_exec(probe_exec);
}

static bool is_named(pid_t tgid, const s32 *pids, u32 nr)
{
	u32 i;

	for (i = 0; i < nr; i++) {
		if (pids[i] == tgid)
			return true;
	}
	return false;
}

static bool task_descends(struct task_struct *task, const s32 *pids, u32 nr)
{
	struct task_struct *parent;

	/* The loop ends at init_task, which is its own parent. */
	for (;;) {
		if (is_named(task->tgid, pids, nr))
			return true;
		parent = rcu_dereference(task->real_parent);
		if (parent == task)
			return false;
		task = parent;
	}
}

/*
 * Mark the processes in @pids and all their existing descendants. probe_fork() is
 * already active, so it marks a child that is forked too late for this walk. The
 * walk may visit a child before its parent, so task_descends() looks at all
 * ancestors.
 */
static void mark_present(struct tprof_target *target, const s32 *pids, u32 nr)
{
	struct task_struct *task;
	unsigned long flags;

	rcu_read_lock();
	for_each_process(task) {
		if (!task_descends(task, pids, nr))
			continue;
		raw_spin_lock_irqsave(&target->lock, flags);
		__set_bit(task->tgid, target->pids);
		raw_spin_unlock_irqrestore(&target->lock, flags);
	}
	rcu_read_unlock();
}

/* Return true if the last thread of the process of @task exits or has exited. */
static bool has_exited(const struct task_struct *task)
{
	return !atomic_read(&task->signal->live);
}

/*
 * Convert thread ids to process ids: the user may name a process by any of its
 * threads.
 */
static int resolve_pid(s32 *tgids, const s32 *pids, u32 nr)
{
	struct task_struct *task;
	int err = 0;
	u32 i;

	rcu_read_lock();
	for (i = 0; i < nr && !err; i++) {
		task = pid_task(find_vpid(pids[i]), PIDTYPE_PID);
		if (task && !has_exited(task))
			tgids[i] = task->tgid;
		else
			err = -ESRCH;
	}
	rcu_read_unlock();
	return err;
}

static int register_probes(void)
{
	int err = tprof_tracepoint_register("sched_process_fork", probe_fork, NULL);

	if (err)
		return err;
	err = tprof_tracepoint_register("sched_process_exec", probe_exec, NULL);
	if (err)
		tprof_tracepoint_unregister("sched_process_fork", probe_fork, NULL);
	return err;
}

static void unregister_probes(void)
{
	tprof_tracepoint_unregister("sched_process_fork", probe_fork, NULL);
	tprof_tracepoint_unregister("sched_process_exec", probe_exec, NULL);
}

static int follow_tasks(struct tprof_target *target)
{
	int err = 0;

	mutex_lock(&targets_lock);
	if (list_empty(&targets))
		err = register_probes();
	if (!err)
		list_add_tail_rcu(&target->node, &targets);
	mutex_unlock(&targets_lock);
	return err;
}

static void unfollow_tasks(struct tprof_target *target)
{
	mutex_lock(&targets_lock);
	list_del_rcu(&target->node);
	if (list_empty(&targets))
		unregister_probes();
	mutex_unlock(&targets_lock);
	/* Wait until no probe uses the target any more. */
	tracepoint_synchronize_unregister();
}

static void destroy_target(struct tprof_target *target)
{
	kvfree(target->exec_pids);
	kvfree(target->pids);
	kfree(target);
}

static unsigned long *alloc_pids(void)
{
	return kvcalloc(BITS_TO_LONGS(PID_MAX_LIMIT), sizeof(long), TPROF_GFP);
}

static struct tprof_target *alloc_target(void)
{
	struct tprof_target *target;

	target = kzalloc(sizeof(*target), TPROF_GFP);
	if (!target)
		return NULL;
	raw_spin_lock_init(&target->lock);
	target->pids = alloc_pids();
	target->exec_pids = alloc_pids();
	if (target->pids && target->exec_pids)
		return target;
	destroy_target(target);
	return NULL;
}

static struct tprof_target *alloc_for(const s32 *tgids, u32 nr)
{
	struct tprof_target *target = alloc_target();
	int err;

	if (!target)
		return ERR_PTR(-ENOMEM);
	err = follow_tasks(target);
	if (err) {
		destroy_target(target);
		return ERR_PTR(err);
	}
	mark_present(target, tgids, nr);
	return target;
}

/**
 * tprof_target_alloc - allocate a target: processes and their descendants
 * @pids:	process ids; the id of a thread stands for its process
 * @nr:	number of @pids
 *
 * Context: process, may sleep.
 * Return: a target that follows forks, or ERR_PTR() of -ESRCH, -ENOMEM.
 */
struct tprof_target *tprof_target_alloc(const s32 *pids, u32 nr)
{
	struct tprof_target *target;
	s32 *tgids;
	int err;

	tgids = kmalloc_array(nr, sizeof(*tgids), TPROF_GFP);
	if (!tgids)
		return ERR_PTR(-ENOMEM);
	err = resolve_pid(tgids, pids, nr);
	target = err ? ERR_PTR(err) : alloc_for(tgids, nr);
	kfree(tgids);
	return target;
}

/**
 * tprof_target_free - free a target
 * @target:	target that no sampler uses, or NULL
 *
 * Context: process, may sleep.
 */
void tprof_target_free(struct tprof_target *target)
{
	if (!target)
		return;
	unfollow_tasks(target);
	destroy_target(target);
}
