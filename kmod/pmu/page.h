/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - a count page: how user mode reads the counter of an event by RDPMC
 *
 * The count of the event is @offset of the page plus the sign-extended value of the counter.
 * The page is for one thread. It is changed on the CPU that runs this thread, with interrupts
 * off, and while the thread does not run. NMIs change it, too, when they change the counter.
 */
#ifndef TPROF_PMU_PAGE_H
#define TPROF_PMU_PAGE_H

#ifdef __KERNEL__
#include <linux/compiler.h>
#include <linux/perf_event.h>
#include <linux/smp.h>
#include <linux/types.h>
#endif

/**
 * struct tprof_page - a count page
 * @user:	the page
 * @reader:	thread that may map it
 * @total:	count of the event on all CPUs when the gate was last closed
 * @skew:	@total minus the count of this CPU when the gate was opened
 * @ran_tsc:	TSC cycles for which gates of the event were open, when one was last closed
 * @mark_tsc:	those of this CPU when its gate was opened
 * @cpu:	CPU on which the thread runs and the gate of the event is open, or -1. An NMI of
 *		another CPU may read it, and finds that it is not its own
 * @may_rdpmc:	user mode may execute RDPMC
 */
struct tprof_page {
	struct perf_event_mmap_page	*user;
	struct pid			*reader;
	u64				total;
	u64				skew;
	u64				ran_tsc;
	u64				mark_tsc;
	int				cpu;
	bool				may_rdpmc;
};

/*
 * Begin or end a change. An NMI may change the page in between. It leaves @lock as odd or
 * even as it was, and the reader is not running, so it finds another @lock in any case.
 */
static inline void tprof_page_step(struct tprof_page *page)
{
	barrier();
	WRITE_ONCE(page->user->lock, page->user->lock + 1);
	barrier();
}

/**
 * tprof_page_show - let the reader read a counter
 * @pmc:	index of the counter for RDPMC
 * @bits:	its width
 * @base:	count of the event on this CPU, minus the sign-extended value of the counter
 *
 * Context: NMI, or interrupts off, on the CPU of the counter.
 */
static inline void tprof_page_show(struct tprof_page *page, u32 pmc, u32 bits, u64 base)
{
	if (READ_ONCE(page->cpu) != smp_processor_id())
		return;
	tprof_page_step(page);
	page->user->index = 0;
	page->user->offset = page->total;
	if (READ_ONCE(page->may_rdpmc)) {
		page->user->index = pmc + 1;
		page->user->pmc_width = bits;
		page->user->offset = page->skew + base;
	}
	tprof_page_step(page);
}

/* Change the page of a thread that does not read a counter. The count is @total. */
static inline void tprof_page_rest(struct tprof_page *page, u64 total)
{
	tprof_page_step(page);
	page->user->index = 0;
	page->user->offset = total;
	tprof_page_step(page);
}

/**
 * tprof_page_hide - let the reader not read a counter
 * @count:	count of the event on this CPU
 *
 * Context: interrupts off, on the CPU of the counter.
 */
static inline void tprof_page_hide(struct tprof_page *page, u64 count)
{
	if (READ_ONCE(page->cpu) == smp_processor_id())
		tprof_page_rest(page, page->skew + count);
}

#endif /* TPROF_PMU_PAGE_H */
