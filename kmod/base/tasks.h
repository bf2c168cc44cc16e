/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - a set of processes and threads, which an NMI can read
 *
 * The owner of a set may change it at any time, so a bit is valid only at the moment at
 * which it is read.
 */
#ifndef TPROF_TASKS_H
#define TPROF_TASKS_H

#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/sched.h>

#include "base/tasks_types.h"

/* Return true if @task is in the set. */
static inline bool tprof_tasks_has(const struct tprof_tasks *tasks,
				   const struct task_struct *task)
{
	/* Racy read: a thread in execve(2) may be taking its leader's pid. */
	return test_bit(task->tgid, tasks->pids) ||
	       test_bit(READ_ONCE(task->pid), tasks->tids);
}

/* Return true if @task or another thread of its process is or was in the set. */
static inline bool tprof_tasks_has_process(const struct tprof_tasks *tasks,
					   const struct task_struct *task)
{
	return test_bit(task->tgid, tasks->pids) || test_bit(task->tgid, tasks->hosts);
}

#endif /* TPROF_TASKS_H */
