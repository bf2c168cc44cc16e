// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the processes and threads that a session samples and counts
 *
 * Context: process. The session lock serialises all changes of a target but those of
 * target_follow.c.
 */
#include <linux/bitmap.h>
#include <linux/bitops.h>
#include <linux/cpumask.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rculist.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "base/gfp.h"
#include "target/target.h"
#include "target/target_follow.h"

#define NR_BITMAPS	7

/* A process that was reaped is not in the list of processes. */
static bool is_process_exiting(struct task_struct *process)
{
	struct task_struct *thread;

	for_each_thread(process, thread) {
		if (!READ_ONCE(thread->exit_state))
			return true;
	}
	return false;
}

/**
 * tprof_target_is_exiting - report whether a process of an empty target still exits
 * @target:	target for which tprof_target_is_empty() is true
 *
 * The exit probe runs before the kernel closes the files of a task and runs its task work.
 *
 * Context: process.
 * Return: true if a thread of one of the processes has not become a zombie yet.
 */
bool tprof_target_is_exiting(const struct tprof_target *target)
{
	struct task_struct *process;
	bool is_exiting = false;

	rcu_read_lock();
	for_each_process(process) {
		if (!test_bit(process->tgid, target->all.pids))
			continue;
		is_exiting = is_process_exiting(process);
		if (is_exiting)
			break;
	}
	rcu_read_unlock();
	return is_exiting;
}

static bool has_host(const struct tprof_target *target)
{
	struct task_struct *process;
	bool is_any = false;

	rcu_read_lock();
	for_each_process(process) {
		is_any = test_bit(process->tgid, target->all.hosts) &&
			 !tprof_target_has_exited(process);
		if (is_any)
			break;
	}
	rcu_read_unlock();
	return is_any;
}

/* If a thread has the id, it will be removed when it exits. */
static void remove_lost_thread(struct tprof_target *target, pid_t tid)
{
	unsigned long flags;
	u32 before;

	rcu_read_lock();
	if (!pid_task(find_pid_ns(tid, &init_pid_ns), PIDTYPE_PID)) {
		raw_spin_lock_irqsave(&target->lock, flags);
		before = target->nr_present;
		tprof_target_remove_thread(target, tid);
		tprof_target_note_end(target, before);
		raw_spin_unlock_irqrestore(&target->lock, flags);
	}
	rcu_read_unlock();
}

/**
 * tprof_target_remove_lost_threads - remove threads that have exited under another id
 *
 * execve(2) gives the thread that calls it the id of the leader. If execve(2) fails after
 * that, the exit probe does not find the thread in @target. Until the probe of execve(2) runs,
 * the bit of the old id is needed. So lost threads stay in @target while any process lives
 * that has or had a thread in it.
 *
 * Context: process, under the session lock.
 */
void tprof_target_remove_lost_threads(struct tprof_target *target)
{
	unsigned long tid = 0;

	if (has_host(target))
		return;
	/* Racy read: forks remove the bits of ids that are used again. */
	while ((tid = data_race(find_next_bit(target->all.tids, PID_MAX_LIMIT, tid))) <
	       PID_MAX_LIMIT)
		remove_lost_thread(target, tid++);
}

/**
 * tprof_target_is_only - report whether a target has one thread only
 * @task:	thread
 *
 * Processes that have exited are still in @all, and the rest of their exit opens gates.
 *
 * Context: process, under the session lock.
 * Return: true if @task is in @target, and @target has no other thread, no process, not even one
 * that has exited, and no names.
 */
bool tprof_target_is_only(struct tprof_target *target, const struct task_struct *task)
{
	unsigned long flags;
	bool is_only;

	raw_spin_lock_irqsave(&target->lock, flags);
	is_only = target->nr_present == 1 && !target->names &&
		  test_bit(task->pid, target->all.tids);
	raw_spin_unlock_irqrestore(&target->lock, flags);
	/* Racy read: forks and exits change bits of other tasks. */
	return is_only && data_race(bitmap_empty(target->all.pids, PID_MAX_LIMIT));
}

/**
 * tprof_target_find_cpus - find the CPUs on which targets may run
 * @cpus:	result
 *
 * Context: process.
 */
void tprof_target_find_cpus(const struct tprof_target *target, struct cpumask *cpus)
{
	struct task_struct *process, *thread;

	cpumask_clear(cpus);
	rcu_read_lock();
	for_each_process_thread(process, thread) {
		/* Racy read: the affinity may change. Not @cpus_ptr, which may be of a moment. */
		if (tprof_tasks_has(&target->all, thread))
			cpumask_or(cpus, cpus, &thread->cpus_mask);
	}
	rcu_read_unlock();
}

static void destroy_target(struct tprof_target *target)
{
	kvfree(target->names);
	kvfree(target->bits);
	kfree(target);
}

static struct tprof_target *create_target(struct delayed_work *empty_work,
					  const struct cred *watcher)
{
	struct tprof_target *target;
	unsigned long *bits;

	target = kzalloc(sizeof(*target), TPROF_GFP);
	if (!target)
		return NULL;
	bits = kvcalloc(NR_BITMAPS * TPROF_TARGET_LONGS, sizeof(*bits), TPROF_GFP);
	if (!bits) {
		kfree(target);
		return NULL;
	}
	raw_spin_lock_init(&target->lock);
	target->bits = bits;
	target->watcher = watcher;
	target->empty_work = empty_work;
	target->all.pids = bits;
	target->all.tids = bits + TPROF_TARGET_LONGS;
	target->all.hosts = bits + 2 * TPROF_TARGET_LONGS;
	target->execs.pids = bits + 3 * TPROF_TARGET_LONGS;
	target->execs.tids = bits + 4 * TPROF_TARGET_LONGS;
	target->execs.hosts = target->all.hosts;
	target->heirs = bits + 5 * TPROF_TARGET_LONGS;
	target->present = bits + 6 * TPROF_TARGET_LONGS;
	return target;
}

/**
 * tprof_target_alloc - allocate a target without tasks
 * @empty_work:	work to queue when the last of its tasks exits. It may be queued, or run,
 *		until tprof_target_free() returns
 * @watcher:	the target has only tasks that @watcher may observe; NULL for no limit. The
 *		caller keeps it until tprof_target_free()
 *
 * Context: process, may sleep.
 * Return: a target that follows tasks, or ERR_PTR() of -ENOMEM.
 */
struct tprof_target *tprof_target_alloc(struct delayed_work *empty_work,
					const struct cred *watcher)
{
	struct tprof_target *target = create_target(empty_work, watcher);
	int err;

	if (!target)
		return ERR_PTR(-ENOMEM);
	err = tprof_target_follow(target);
	if (err) {
		destroy_target(target);
		return ERR_PTR(err);
	}
	return target;
}

/**
 * tprof_target_set_names - let processes become members by their names
 * @target:	target without names and without a watcher
 * @names:	valid names; the target frees them
 *
 * Context: process, under the session lock, while no event runs.
 */
void tprof_target_set_names(struct tprof_target *target, struct tprof_names *names)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&target->lock, flags);
	/* Barrier Y, pairs with smp_load_acquire() in probe_rename(). */
	smp_store_release(&target->names, names);
	WRITE_ONCE(target->is_over, false);
	raw_spin_unlock_irqrestore(&target->lock, flags);
}

/**
 * tprof_target_nr_followed - count the processes that became members by their names
 * @target:	target with names
 *
 * Context: process, under the session lock.
 * Return: their number since the names were set.
 */
u64 tprof_target_nr_followed(struct tprof_target *target)
{
	unsigned long flags;
	u64 nr;

	raw_spin_lock_irqsave(&target->lock, flags);
	nr = target->names->nr_followed;
	raw_spin_unlock_irqrestore(&target->lock, flags);
	return nr;
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
	tprof_target_unfollow(target);
	destroy_target(target);
}
