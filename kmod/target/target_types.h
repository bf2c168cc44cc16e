/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the processes and threads that a session samples and counts
 *
 * A target is a set of tasks, which an NMI can read without a lock. CONFIG and ATTACH
 * add processes, with or without their descendants, and single threads. A fork copies
 * the bit of the parent to the child, so a reused process id never keeps the bit of the
 * old process.
 *
 * ATTACH and DETACH change the bitmaps while tasks run, and then let each CPU look at its
 * gates by an IPI. A process that has exited keeps its bit, so that the rest of its exit
 * counts; only a fork can reuse its id, and that fork overwrites the bit. The bit of a thread
 * is cleared at its exit.
 *
 * The seven bitmaps have a bit for each possible process id, 3.5 MiB for a target. Nothing
 * smaller does: each NMI and each task switch tests membership by two loads and without a
 * lock, and the probe of forks adds a member where it must not allocate. Modules have no
 * field of struct task_struct for a mark.
 */
#ifndef TPROF_TARGET_TYPES_H
#define TPROF_TARGET_TYPES_H

#include <linux/bitops.h>
#include <linux/cred.h>
#include <linux/list.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/spinlock.h>
#include <linux/threads.h>
#include <linux/types.h>
#include <linux/workqueue.h>

#include "base/tasks.h"
#include "target/names.h"

/* Length of a bitmap with a bit for each process id. */
#define TPROF_TARGET_LONGS	BITS_TO_LONGS(PID_MAX_LIMIT)

/**
 * struct tprof_target - a set of tasks that follows forks, execs and exits
 * @watcher:	the set has only tasks that @watcher may observe; NULL for no limit
 * @all:	the tasks. A process stays in it until its id is reused
 * @execs:	those tasks in @all that called execve(2) after they became targets, and
 *		the descendants that they have created since that call
 * @heirs:	bitmap of those processes in @all whose children become targets
 * @present:	bitmap of those processes in @all that have not exited
 * @nr_present:	number of bits in @present and in @all.tids
 * @is_over:	the last of the present tasks has exited, or the watcher may not observe it any
 *		more; false if DETACH removed it
 * @added:	bitmap of those processes in @all that the ATTACH under way has added, and of
 *		their descendants; NULL if it need not be undone
 * @bits:	memory of all bitmaps
 * @names:	names of processes that become members when they call execve(2), or NULL; set while
 *		no event runs
 * @empty_work:	queued when @is_over becomes true, and when a process leaves @all.hosts or
 *		exits while other tasks are present: see tprof_target_remove_lost_threads()
 * @lock:	protects all of the above, but samples and gates read @all and @execs without
 *		it; raw, because tracepoint probes take it; innermost
 * @node:	entry in the list of all targets, which the probes walk under RCU
 */
struct tprof_target {
	const struct cred	*watcher;
	struct tprof_tasks	all;
	struct tprof_tasks	execs;
	unsigned long		*heirs;
	unsigned long		*present;
	u32			nr_present;
	bool			is_over;
	unsigned long		*added;
	unsigned long		*bits;
	struct tprof_names	*names;
	struct delayed_work	*empty_work;
	raw_spinlock_t		lock;
	struct list_head	node;
};

/**
 * tprof_target_has_exited - report whether a process has exited
 * @task:	any thread of the process
 *
 * Context: any.
 * Return: true if the last thread of the process exits or has exited.
 */
static inline bool tprof_target_has_exited(const struct task_struct *task)
{
	return !atomic_read(&task->signal->live);
}

/**
 * tprof_target_is_empty - report whether a target has no tasks
 *
 * Context: any.
 * Return: true if all its tasks have exited or were removed.
 */
static inline bool tprof_target_is_empty(const struct tprof_target *target)
{
	/* Races with forks and exits. */
	return !READ_ONCE(target->nr_present);
}

/**
 * tprof_target_is_futile - report whether a target has no tasks, and can get none by itself
 *
 * Context: any.
 * Return: true if START would find nothing to observe.
 */
static inline bool tprof_target_is_futile(const struct tprof_target *target)
{
	return !target->names && tprof_target_is_empty(target);
}

/**
 * tprof_target_is_over - report whether a target has no tasks any more, though none was detached
 *
 * Context: any.
 * Return: true if the session must end.
 */
static inline bool tprof_target_is_over(const struct tprof_target *target)
{
	/* Races with forks and exits. */
	return READ_ONCE(target->is_over);
}

/**
 * tprof_target_add_present - count one more present task
 *
 * Context: any but NMI, under the lock of the target.
 */
static inline void tprof_target_add_present(struct tprof_target *target)
{
	WRITE_ONCE(target->nr_present, target->nr_present + 1);
	WRITE_ONCE(target->is_over, false);
}

/**
 * tprof_target_note_end - note the end of a target if its last present task has gone
 * @before:	number of its present tasks before
 *
 * A target with names has no end, as other tasks may come.
 *
 * Context: any but NMI, under the lock of the target.
 * Return: true if it has; the caller then queues @empty_work.
 */
static inline bool tprof_target_note_end(struct tprof_target *target, u32 before)
{
	bool is_end = before && !target->nr_present && !target->names;

	if (is_end)
		WRITE_ONCE(target->is_over, true);
	return is_end;
}

/**
 * tprof_target_put_bit - change a bit of a target, which may be read without the lock
 * @id:		process or thread id
 * @bits:	bitmap of the target
 * @value:	value of the bit
 *
 * Most forks and exits change no bit, so look first: then other CPUs keep the cache line.
 *
 * Context: any but NMI, under the lock of the target.
 * Return: the bit's value before.
 */
static inline bool tprof_target_put_bit(pid_t id, unsigned long *bits, bool value)
{
	if (test_bit(id, bits) == value)
		return value;
	assign_bit(id, bits, value);
	return !value;
}

#endif /* TPROF_TARGET_TYPES_H */
