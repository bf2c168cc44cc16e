// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - a set of processes and threads, which an NMI can read
 */
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>

#include "base/tasks.h"

/* Threads that are zombies do not count. */
static bool find_common(const struct tprof_tasks *a, const struct tprof_tasks *b)
{
	struct task_struct *process, *thread;

	for_each_process_thread(process, thread) {
		if (!READ_ONCE(thread->exit_state) && tprof_tasks_has(a, thread) &&
		    tprof_tasks_has(b, thread))
			return true;
	}
	return false;
}

/**
 * tprof_tasks_meet - report whether a task is in both of two sets
 * @a:		set
 * @b:		set
 *
 * Bits of ids without a task do not count: a fork that uses such an id again overwrites
 * them. A task that is forked meanwhile is in both sets only if its parent is.
 *
 * Context: process.
 * Return: true if a task that has not become a zombie is in both.
 */
bool tprof_tasks_meet(const struct tprof_tasks *a, const struct tprof_tasks *b)
{
	bool do_meet;

	rcu_read_lock();
	do_meet = find_common(a, b);
	rcu_read_unlock();
	return do_meet;
}
