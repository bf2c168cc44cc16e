/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the cells of a tally: the counts of each thread
 *
 * A thread gets its cell when it is switched in for the first time. A cell holds a reference
 * to its task, so no other task has the same address. When the thread has exited, its cell
 * is kept without the task, or given back if enough cells are kept already.
 *
 * A thread keeps its cell over execve(2), as the cell belongs to the task and not to an id.
 * The worker gives free cells to the pools of all CPUs before it allocates more. The CPU on
 * which the thread is switched out for the last time, in state TASK_DEAD, keeps or returns the
 * cell. If no event ran there, the worker, START or THREADS does. Cells are found by a hash of
 * the task's address, those that a CPU has used last without a lock.
 */
#ifndef TPROF_TALLY_CELL_H
#define TPROF_TALLY_CELL_H

#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/hash.h>
#include <linux/irq_work.h>
#include <linux/list.h>
#include <linux/llist.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/tprof_lx.h>
#include <linux/workqueue.h>

#include "base/locked.h"

#define TPROF_CELL_BUCKET_BITS	10
#define TPROF_CELL_BUCKETS	BIT(TPROF_CELL_BUCKET_BITS)
#define TPROF_CELL_RECENT_BITS	4
#define TPROF_CELL_RECENT	BIT(TPROF_CELL_RECENT_BITS)

/**
 * struct tprof_cell_name - how a thread is listed
 * @pid:	process id
 * @tid:	thread id
 * @started:	time of its start, in ns of CLOCK_BOOTTIME
 * @comm:	name
 */
struct tprof_cell_name {
	s32	pid;
	s32	tid;
	u64	started;
	char	comm[TASK_COMM_LEN];
};

/**
 * struct tprof_cell - the counts of a thread
 * @node:	entry in a bucket, while the cell has a task
 * @free:	entry in a pool, among the spare cells, or in the list of threads that have exited
 * @task:	thread, with a reference; NULL while the cell is free, and after the exit
 * @name:	how the thread is listed after its exit
 * @cpu:	CPU of its pool; constant while the cell has a task
 * @ran:	TSC cycles for which it ran with its gate open
 * @counts:	counts, by index of the event; after them, for each count the part of it that was
 *		in READ records; after them, for each count the part of @ran that was in them
 *
 * @ran and @counts are written by the CPU that runs the task, with interrupts off. If the
 * task has moved from one CPU to another, the scheduler orders the writes.
 */
struct tprof_cell {
	struct hlist_node	node;
	struct llist_node	free;
	struct task_struct	*task;
	struct tprof_cell_name	name;
	int			cpu;
	u64			ran;
	u64			counts[];
};

/**
 * struct tprof_cell_bucket - cells of tasks whose addresses have the same hash
 * @lock:	protects @cells; raw, because the probe of sched_switch takes it; innermost
 * @cells:	cells
 */
struct tprof_cell_bucket {
	raw_spinlock_t		lock;
	struct hlist_head	cells;
};

/**
 * struct tprof_cell_recent - cells that a CPU has found, of tasks with the same hash
 * @last:	cell found last
 * @other:	previous value of @last, so that a switch between two such tasks finds both
 */
struct tprof_cell_recent {
	struct tprof_cell	*last;
	struct tprof_cell	*other;
};

/**
 * struct tprof_cell_pool - free cells of a CPU, and the cells that it has used last
 * @table:	table of the pool
 * @free:	free cells; any CPU may return one, only this CPU takes one, with interrupts
 *		off
 * @nr_free:	number of cells in @free, about
 * @kick:	starts @table->refill
 * @recent:	cells found last, by hash, or a cell without a task; used on this CPU only, with
 *		interrupts off
 */
struct tprof_cell_pool {
	struct tprof_cell_table		*table;
	struct llist_head		free;
	atomic_t			nr_free;
	struct irq_work			kick;
	struct tprof_cell_recent	recent[TPROF_CELL_RECENT];
};

/**
 * struct tprof_cell_table - all cells of a session
 * @pools:	pool of each CPU
 * @spare:	free cells that no pool keeps; any CPU adds to it, only @refill removes from it
 * @exited:	cells of threads that have exited; only added to, on any CPU
 * @nr_exited:	number of cells in @exited, or about to be added
 * @refill:	frees cells of dead tasks, and allocates cells
 * @sweep:	frees the cells of dead tasks; set by the owner
 * @watcher:	credentials that must allow to observe a thread before its name is copied; NULL
 *		to copy all names; set by the owner
 * @locked:	what the memory of the cells counts to; set by the owner
 * @retry_at:	time in jiffies before which @refill is not worth while; W: @refill
 * @blocks:	memory of the cells; changed by @refill and, before the first use, by its
 *		owner
 * @cell_bytes:	size of a cell
 * @buckets:	cells that have a task
 */
struct tprof_cell_table {
	struct tprof_cell_pool __percpu	*pools;
	struct llist_head		spare;
	struct llist_head		exited;
	atomic_t			nr_exited;
	struct work_struct		refill;
	void (*sweep)(struct tprof_cell_table *table);
	const struct cred		*watcher;
	struct tprof_locked		*locked;
	unsigned long			retry_at;
	struct list_head		blocks;
	size_t				cell_bytes;
	struct tprof_cell_bucket	buckets[TPROF_CELL_BUCKETS];
};

int tprof_cell_table_init(struct tprof_cell_table *table, u32 nr_events);
void tprof_cell_table_uninit(struct tprof_cell_table *table);
void tprof_cell_table_quiesce(struct tprof_cell_table *table);
struct tprof_cell *tprof_cell_find_slowly(struct tprof_cell_table *table,
					  struct task_struct *task);
struct tprof_cell *tprof_cell_remove(struct tprof_cell_table *table,
				     const struct task_struct *task);
struct tprof_cell *tprof_cell_remove_dead(struct tprof_cell_bucket *bucket);
void tprof_cell_put(struct tprof_cell_table *table, struct tprof_cell *cell);
bool tprof_cell_keep(struct tprof_cell_table *table, struct tprof_cell *cell);
void tprof_cell_read_name(const struct tprof_cell_table *table, const struct tprof_cell *cell,
			  struct tprof_cell_name *name);

/* Return where this CPU notes the cell of a task that it has used. */
static inline struct tprof_cell_recent *tprof_cell_recent(struct tprof_cell_table *table,
							  const struct task_struct *task)
{
	return &this_cpu_ptr(table->pools)->recent[hash_ptr(task, TPROF_CELL_RECENT_BITS)];
}

/**
 * tprof_cell_recall - find the cell of a task, if this CPU has used it recently
 * @task:	task that this CPU runs, or switches to
 *
 * A recent cell may have been given to another task since. But if it is the cell of @task,
 * it was that before @task was last switched in, and stays it until @task exits.
 *
 * Context: any but NMI, interrupts off.
 * Return: cell, or NULL.
 */
static inline struct tprof_cell *tprof_cell_recall(struct tprof_cell_table *table,
						   const struct task_struct *task)
{
	const struct tprof_cell_recent *recent = tprof_cell_recent(table, task);

	if (likely(READ_ONCE(recent->last->task) == task))
		return recent->last;
	return READ_ONCE(recent->other->task) == task ? recent->other : NULL;
}

/**
 * tprof_cell_find - find the cell of a task, or take one from the pool of this CPU
 * @task:	task that this CPU runs, or switches to
 *
 * Context: any but NMI, interrupts off.
 * Return: cell, or NULL if the pool is empty.
 */
static inline struct tprof_cell *tprof_cell_find(struct tprof_cell_table *table,
						 struct task_struct *task)
{
	struct tprof_cell *cell = tprof_cell_recall(table, task);
	struct tprof_cell_recent *recent;

	if (likely(cell))
		return cell;
	cell = tprof_cell_find_slowly(table, task);
	if (likely(cell)) {
		recent = tprof_cell_recent(table, task);
		recent->other = recent->last;
		recent->last = cell;
	}
	return cell;
}

#endif /* TPROF_TALLY_CELL_H */
