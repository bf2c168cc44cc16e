// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - since when each thread does not run, and in which state
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
#include "base/mono.h"
#include "soft/off_cpu.h"

/* 131072 entries, 2.2 MiB. */
#define BUCKET_BITS	13
#define BUCKET_ENTRIES	16

/**
 * struct bucket - entries of some threads that do not run; index: entry
 * @tasks:		the thread, or NULL if the entry is free; only compared
 * @since_ns:		CLOCK_MONOTONIC when it was switched out
 * @states:		its state then
 * @has_overflowed:	a thread found no free entry, so a thread without an entry may have
 *			been out for long
 */
struct bucket {
	const struct task_struct *tasks[BUCKET_ENTRIES];
	u64	since_ns[BUCKET_ENTRIES];
	char	states[BUCKET_ENTRIES];
	bool	has_overflowed;
};

/* Changed under the soft lock, while no hook uses it. */
static struct bucket *buckets;
/* CLOCK_MONOTONIC when the table was allocated; changed as @buckets is. */
static u64 began_ns;

/**
 * tprof_off_cpu_init - allocate the table, empty
 *
 * Context: process, may sleep, under the soft lock.
 * Return: 0 or -ENOMEM.
 */
int tprof_off_cpu_init(void)
{
	began_ns = tprof_mono_ns();
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
 * @state:	letter of its state
 *
 * Context: the switch, on its CPU.
 */
void tprof_off_cpu_leave(const struct task_struct *task, u64 now, char state)
{
	struct bucket *bucket = find_bucket(task);
	int i;

	for (i = 0; i < BUCKET_ENTRIES; i++) {
		if (!READ_ONCE(bucket->tasks[i]) && !cmpxchg(&bucket->tasks[i], NULL, task)) {
			bucket->since_ns[i] = now;
			bucket->states[i] = state;
			return;
		}
	}
	WRITE_ONCE(bucket->has_overflowed, true);
}

/*
 * Return the wait of a thread without an entry. It was created or, if the bucket has not
 * overflowed, was switched out before the table was allocated. A new thread waits for a CPU.
 */
static struct tprof_off_cpu_wait
unknown_wait(const struct bucket *bucket, const struct task_struct *task)
{
	bool is_new = task->start_time >= began_ns;

	if (READ_ONCE(bucket->has_overflowed))
		return (struct tprof_off_cpu_wait){ .since_ns = S64_MAX };
	return (struct tprof_off_cpu_wait){ task->start_time, is_new ? 'R' : 0 };
}

/**
 * tprof_off_cpu_return - find out since when a thread did not run, as it is switched in
 * @task:	the thread
 *
 * Context: the switch, on its CPU.
 * Return: the wait of the thread.
 */
struct tprof_off_cpu_wait tprof_off_cpu_return(const struct task_struct *task)
{
	struct bucket *bucket = find_bucket(task);
	struct tprof_off_cpu_wait wait;
	int i;

	for (i = 0; i < BUCKET_ENTRIES; i++) {
		if (READ_ONCE(bucket->tasks[i]) != task)
			continue;
		wait.since_ns = bucket->since_ns[i];
		wait.state = bucket->states[i];
		/* The entry is read before another thread takes it. */
		smp_store_release(&bucket->tasks[i], NULL);
		return wait;
	}
	return unknown_wait(bucket, task);
}
