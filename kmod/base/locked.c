// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - memory that counts to a user as locked
 *
 * Rings and queues cannot be swapped, so they count as the buffers of perf do: each user has
 * FREE_KB for each online CPU, and then the limit RLIMIT_MEMLOCK. The sum is kept by the kernel,
 * so the buffers of perf, io_uring and XDP are part of it. A task with CAP_IPC_LOCK has no limit.
 *
 * Context: process.
 */
#include <linux/atomic.h>
#include <linux/capability.h>
#include <linux/cpumask.h>
#include <linux/cred.h>
#include <linux/errno.h>
#include <linux/math.h>
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/user.h>
#include <linux/user_namespace.h>

#include "base/locked.h"

/* The default of kernel.perf_event_mlock_kb, which a module cannot read. */
#define FREE_KB		(512 + PAGE_SIZE / 1024)

/**
 * tprof_locked_init - let the memory of a session count to the user of the current task
 * @locked:	result
 */
void tprof_locked_init(struct tprof_locked *locked)
{
	if (ns_capable_noaudit(&init_user_ns, CAP_IPC_LOCK))
		return;
	tprof_locked_renew(locked);
	locked->user = get_uid(current_user());
}

/**
 * tprof_locked_uninit - undo tprof_locked_init()
 * @locked:	locked memory, of which nothing is left; or zeroes
 */
void tprof_locked_uninit(struct tprof_locked *locked)
{
	if (locked->user)
		free_uid(locked->user);
}

/**
 * tprof_locked_renew - use the limit of the current task from now on
 * @locked:	locked memory
 */
void tprof_locked_renew(struct tprof_locked *locked)
{
	/* Races with max_pages(), which CPU hotplug and INFO call without the session lock. */
	WRITE_ONCE(locked->more_pages, rlimit(RLIMIT_MEMLOCK) >> PAGE_SHIFT);
}

/* With each CPU that comes online, a user may have more. */
static unsigned long max_pages(const struct tprof_locked *locked)
{
	return (num_online_cpus() * FREE_KB * 1024UL >> PAGE_SHIFT) +
	       READ_ONCE(locked->more_pages);
}

/**
 * tprof_locked_halvings - find out how often to halve default sizes
 * @locked:	locked memory of a session
 * @bytes:	memory of a session with these sizes
 *
 * Return: how often, so that two sessions have locked memory enough.
 */
unsigned int tprof_locked_halvings(const struct tprof_locked *locked, size_t bytes)
{
	unsigned long pages = bytes >> PAGE_SHIFT;
	unsigned int nr = 0;

	if (!locked->user)
		return 0;
	while (pages >> nr > max_pages(locked) / 2)
		nr++;
	return nr;
}

static unsigned long pages_of(size_t bytes)
{
	return DIV_ROUND_UP(bytes, PAGE_SIZE);
}

/**
 * tprof_locked_take - count memory before it is allocated
 * @locked:	locked memory of a session
 * @bytes:	length
 *
 * Return: 0, or -ENOBUFS if the user would have more than its limit.
 */
int tprof_locked_take(struct tprof_locked *locked, size_t bytes)
{
	unsigned long max = max_pages(locked);
	long pages = pages_of(bytes), before;
	atomic_long_t *sum;

	if (!locked->user)
		return 0;
	sum = &locked->user->locked_vm;
	before = atomic_long_read(sum);
	do {
		if (before + pages > max)
			return -ENOBUFS;
	} while (!atomic_long_try_cmpxchg(sum, &before, before + pages));
	return 0;
}

/**
 * tprof_locked_give - undo tprof_locked_take()
 * @locked:	as passed to tprof_locked_take()
 * @bytes:	as passed to tprof_locked_take()
 */
void tprof_locked_give(struct tprof_locked *locked, size_t bytes)
{
	if (locked->user)
		atomic_long_sub(pages_of(bytes), &locked->user->locked_vm);
}
