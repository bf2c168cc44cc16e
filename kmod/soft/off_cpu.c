// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - since when each thread does not run
 *
 * A table has an entry for each thread that was switched out, until it is switched in
 * again. Its place is a bucket that the address of its task_struct selects, with room for
 * a few threads. (Ids do not serve: threads can exchange theirs in execve(2).)
 * Only the CPU that switches a thread changes the thread's entry, so entries need no lock:
 * a free one is taken by cmpxchg. The scheduler orders the two CPUs of a thread that
 * migrates meanwhile.
 *
 * Context: tprof_off_cpu_leave() and tprof_off_cpu_return() in task switches, with the
 * scheduler's raw locks held; everything else in process context.
 */
#include <linux/atomic.h>
#include <linux/hash.h>
#include <linux/sched.h>
#include <linux/vmalloc.h>

#include "base/gfp.h"
#include "soft/off_cpu.h"

/* 131072 entries, 2 MiB. */
#define BUCKET_BITS	13
#define BUCKET_ENTRIES	16

/**
 * struct entry - a thread that does not run
 * @task:	the thread, or NULL if the entry is free; only compared
 * @since_ns:	CLOCK_MONOTONIC when it was switched out
 */
struct entry {
	const struct task_struct *task;
	u64			since_ns;
};

/**
 * struct bucket - entries of some threads
 * @entries:		the entries
 * @has_overflowed:	a thread found no free entry, so a thread without an entry may have
 *			been out for long
 */
struct bucket {
	struct entry	entries[BUCKET_ENTRIES];
	bool		has_overflowed;
};

/* Changed under the soft lock, while no hook uses it. */
static struct bucket *buckets;

/**
 * tprof_off_cpu_init - allocate the table, empty
 *
 * Context: process, may sleep, under the soft lock.
 * Return: 0 or -ENOMEM.
 */
int tprof_off_cpu_init(void)
{
	buckets = __vmalloc(sizeof(*buckets) << BUCKET_BITS, TPROF_GFP | __GFP_ZERO);
	return buckets ? 0 : -ENOMEM;
}

/**
 * tprof_off_cpu_uninit - free the table
 *
 * Context: process, may sleep, under the soft lock, after the last task switch that uses
 * the table.
 */
void tprof_off_cpu_uninit(void)
{
	vfree(buckets);
	buckets = NULL;
}

static struct bucket *find_bucket(const struct task_struct *task)
{
	return &buckets[hash_ptr(task, BUCKET_BITS)];
}

/**
 * tprof_off_cpu_leave - note that a thread is switched out
 * @task:	the thread
 * @now:	CLOCK_MONOTONIC
 *
 * Context: the switch, on its CPU.
 */
void tprof_off_cpu_leave(const struct task_struct *task, u64 now)
{
	struct bucket *bucket = find_bucket(task);
	struct entry *entry = bucket->entries;
	int i;

	for (i = 0; i < BUCKET_ENTRIES; i++, entry++) {
		if (!READ_ONCE(entry->task) && !cmpxchg(&entry->task, NULL, task)) {
			entry->since_ns = now;
			return;
		}
	}
	WRITE_ONCE(bucket->has_overflowed, true);
}

/**
 * tprof_off_cpu_return - find out since when a thread did not run, as it is switched in
 * @task:	the thread
 *
 * A thread without an entry was created, or was switched out before the table was
 * allocated. Then it did not run since its creation at the earliest.
 *
 * Context: the switch, on its CPU.
 * Return: CLOCK_MONOTONIC, or S64_MAX if the time is not known, because the table had no
 * room for all threads.
 */
u64 tprof_off_cpu_return(const struct task_struct *task)
{
	struct bucket *bucket = find_bucket(task);
	struct entry *entry = bucket->entries;
	u64 since_ns;
	int i;

	for (i = 0; i < BUCKET_ENTRIES; i++, entry++) {
		if (READ_ONCE(entry->task) != task)
			continue;
		since_ns = entry->since_ns;
		/* The entry is read before another thread takes it. */
		smp_store_release(&entry->task, NULL);
		return since_ns;
	}
	return READ_ONCE(bucket->has_overflowed) ? S64_MAX : task->start_time;
}
