// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - an event of instructions with a count page
 */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "harness/count_page.h"

int count_page_open(struct count_page *page)
{
	const struct tprof_lx_config all = { .size = sizeof(all) };
	struct counters counters;
	int err = counters_open(&counters);

	if (err)
		return err;
	page->fd = counters.fd;
	page->why_not = counters.why_not;
	if (page->why_not)
		return 0;
	memcpy(page->backend, counters.backend.name, sizeof(page->backend));
	attr_user(&page->attr, PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);
	return session_config(page->fd, &all);
}

void count_page_close(struct count_page *page)
{
	if (page->counter.page)
		tprof_lx_counter_unmap(&page->counter);
	close(page->fd);
}

/* Add an event. Return its index or -errno. */
int count_page_add(struct count_page *page, __u32 flags)
{
	struct tprof_lx_event event;
	int err = event_add_with(page->fd, page->backend, &page->attr, flags, &event);

	return err ? err : (int)event.index;
}

/* Add an event, map its page, attach this thread and start. Return 0 or -errno. */
int count_page_begin(struct count_page *page)
{
	int err = count_page_add(page, PAGE_FLAGS);

	if (err >= 0)
		err = tprof_lx_counter_map(&page->counter, page->fd, err);
	if (!err)
		err = session_attach(page->fd, 0, TPROF_LX_TARGET_THREAD);
	return err ? err : session_start(page->fd, ALL_EVENTS);
}

/* Return the count in the page, or the largest number if it cannot be read. */
__u64 count_page_value(const struct tprof_lx_counter *counter)
{
	__u64 value;

	return tprof_lx_counter_read(counter, &value) ? ~0ULL : value;
}

/* If it were inlined, its instructions would depend on the number of loops. */
__attribute__((noinline))
__u64 count_page_work(const struct tprof_lx_counter *counter, __u64 loops)
{
	__u64 before = count_page_value(counter);

	work(loops);
	return count_page_value(counter) - before;
}

/* Return the instructions of LOOPS loops; all others are the same in both runs. */
__u64 count_page_loops(const struct tprof_lx_counter *counter)
{
	__u64 more = count_page_work(counter, LOOPS + 1);

	return more - count_page_work(counter, 1);
}

/* If a read was interrupted, it was repeated, and the instructions for that are counted. */
bool count_page_is_exact(const struct tprof_lx_counter *counter)
{
	__u64 insns = 0;

	for (int tries = 0; insns != INSNS && tries < 3; tries++)
		insns = count_page_loops(counter);
	if (insns != INSNS)
		printf("# %llu instructions instead of %llu\n", insns, INSNS);
	return insns == INSNS;
}

/* Return true if the page and READ return the same count. */
bool count_page_agrees(const struct tprof_lx_counter *counter)
{
	__u64 before = count_page_value(counter), now, after;

	now = count_sum(counter->fd, counter->event);
	after = count_page_value(counter);
	return before < now && now < after && after - before < 10000;
}

static sigjmp_buf after_fault;

static void leave_fault(int signal)
{
	siglongjmp(after_fault, signal);
}

/* Return true if RDPMC raises SIGSEGV in this thread. */
bool rdpmc_faults(void)
{
	volatile bool faults = true;

	signal(SIGSEGV, leave_fault);
	if (!sigsetjmp(after_fault, 1)) {
		__asm__ volatile("rdpmc" : : "c"(0) : "eax", "edx");
		faults = false;
	}
	signal(SIGSEGV, SIG_DFL);
	return faults;
}
