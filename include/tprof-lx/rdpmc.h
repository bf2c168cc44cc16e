/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * tprof-lx - a thread reads its own counters, without a system call
 *
 * The session has a file descriptor of /dev/tprof-lx. For each event, the thread that will
 * read it
 *
 *	adds it with TPROF_LX_EVENT_PROCESS | TPROF_LX_EVENT_PAGE,
 *	maps its count page by tprof_lx_counter_map().
 *
 * It attaches itself with TPROF_LX_TARGET_THREAD, as the only target, starts the events, and
 * calls tprof_lx_counter_read() before and after the code to measure. A read executes about
 * 25 instructions. These, and those of the caller, are part of the count.
 *
 * No function prints, and a function that can fail returns -errno.
 */
#ifndef TPROF_LX_RDPMC_H
#define TPROF_LX_RDPMC_H

#include <errno.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include <linux/perf_event.h>
#include <linux/tprof_lx.h>

/* Size of a page on x86, where this header works. */
#define TPROF_LX_COUNT_PAGE_BYTES	4096

/**
 * struct tprof_lx_counter - an event with a count page
 * @page:	its count page
 * @fd:		its session
 * @event:	its index in the session
 */
struct tprof_lx_counter {
	const struct perf_event_mmap_page *page;
	int fd;
	__u32 event;
};

/**
 * tprof_lx_counter_map - map the count page of an event
 * @counter:	to be filled; on an error, its @page is NULL
 * @fd:		session
 * @event:	index of the event, which this thread has added with TPROF_LX_EVENT_PAGE
 *
 * Return: 0 or -errno.
 */
static inline int tprof_lx_counter_map(struct tprof_lx_counter *counter, int fd, __u32 event)
{
	void *page = mmap(NULL, TPROF_LX_COUNT_PAGE_BYTES, PROT_READ, MAP_SHARED, fd,
			  TPROF_LX_PAGE_OFFSET(event));

	counter->page = page == MAP_FAILED ? NULL : (const struct perf_event_mmap_page *)page;
	counter->fd = fd;
	counter->event = event;
	return counter->page ? 0 : -errno;
}

/**
 * tprof_lx_counter_unmap - undo tprof_lx_counter_map()
 */
static inline void tprof_lx_counter_unmap(struct tprof_lx_counter *counter)
{
	munmap((void *)counter->page, TPROF_LX_COUNT_PAGE_BYTES);
	counter->page = NULL;
}

/* Read the count by a system call: always possible, but slow. */
static inline int tprof_lx_counter_read_slow(const struct tprof_lx_counter *counter, __u64 *value)
{
	struct tprof_lx_count count = {
		.size = sizeof(count),
		.cpu = TPROF_LX_SUM,
		.event = counter->event,
	};

	int err = ioctl(counter->fd, TPROF_LX_IOC_READ, &count) ? -errno : 0;

	*value = count.value;
	return err;
}

/**
 * tprof_lx_counter_read - read the count of an event
 * @counter:	counter that this thread has mapped
 * @value:	result: the count since the event was added
 *
 * The kernel changes the page only while this thread is interrupted, and then also changes
 * @lock. So if @lock is the same before and after, the thread was not switched to another
 * CPU in between.
 *
 * Return: 0 or -errno. Only a system call can fail, which reads the count if RDPMC cannot.
 */
static inline int tprof_lx_counter_read(const struct tprof_lx_counter *counter, __u64 *value)
{
	const struct perf_event_mmap_page *page = counter->page;
	__u32 lock, index, low, high, unused;
	__u64 offset;
	__s64 count;

	do {
		lock = __atomic_load_n(&page->lock, __ATOMIC_ACQUIRE);
		/* Loaded once: it must not become 0 between the check and RDPMC. */
		index = __atomic_load_n(&page->index, __ATOMIC_RELAXED);
		if (__builtin_expect(!index, 0))
			return tprof_lx_counter_read_slow(counter, value);
		offset = page->offset;
		unused = 64 - page->pmc_width;
		__asm__ volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(index - 1) : "memory");
	} while (__builtin_expect(__atomic_load_n(&page->lock, __ATOMIC_RELAXED) != lock, 0));
	count = (__s64)(((__u64)high << 32 | low) << unused) >> unused;
	*value = offset + (__u64)count;
	return 0;
}

#endif /* TPROF_LX_RDPMC_H */
