// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - count pages: a thread reads its own counters by RDPMC, without a system call
 *
 * The page has perf's layout, so that programs that read perf's pages can read these. While
 * the thread runs, the count is that of all CPUs when its gate was opened, plus what the
 * counter of this CPU has counted since then. When the gate is closed, the counter stands
 * still and its count is added to the total. So the thread takes its count along when it
 * moves to another CPU.
 *
 * Context: tprof_page_open_all() and tprof_page_close_all() run on the CPU of the gate, with
 * interrupts off and perhaps the lock of a run queue held; the rest in process context.
 */
#include <linux/clocksource.h>
#include <linux/irqflags.h>
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <asm/cpufeature.h>
#include <asm/tsc.h>

#include "base/gfp.h"
#include "base/tsc.h"
#include "gate/page.h"

/*
 * Let user mode compute times from the TSC, as perf_event_open(2) describes it for
 * @cap_user_time. For that, the TSC must have the same rate always and everywhere.
 */
static void set_clock(struct perf_event_mmap_page *user)
{
	u32 mult, shift;

	if (!tsc_khz || !boot_cpu_has(X86_FEATURE_CONSTANT_TSC) ||
	    !boot_cpu_has(X86_FEATURE_NONSTOP_TSC) || check_tsc_unstable())
		return;
	clocks_calc_mult_shift(&mult, &shift, tsc_khz, NSEC_PER_MSEC, 0);
	/* Old readers of perf's pages shift an int by time_shift. */
	if (shift == 32) {
		shift--;
		mult >>= 1;
	}
	user->time_mult = mult;
	user->time_shift = shift;
}

/**
 * tprof_page_alloc - allocate a page for the current thread
 *
 * Context: process, may sleep.
 * Return: page, or NULL.
 */
struct tprof_page *tprof_page_alloc(void)
{
	struct tprof_page *page = kzalloc(sizeof(*page), TPROF_GFP);

	if (!page)
		return NULL;
	page->user = (void *)get_zeroed_page(TPROF_GFP);
	if (!page->user) {
		kfree(page);
		return NULL;
	}
	page->reader = get_pid(task_pid(current));
	page->cpu = -1;
	page->user->size = offsetof(struct perf_event_mmap_page, __reserved);
	page->user->cap_bit0_is_deprecated = 1;
	set_clock(page->user);
	return page;
}

/**
 * tprof_page_free - free a page
 * @page:	page that no CPU changes any more, or NULL. It may be mapped
 *
 * Context: process.
 */
void tprof_page_free(struct tprof_page *page)
{
	if (!page)
		return;
	put_pid(page->reader);
	free_page((unsigned long)page->user);
	kfree(page);
}

/**
 * tprof_page_set_total - set the count of an event in its page
 * @page:	page of an event that does not run
 * @total:	count on all CPUs
 *
 * Context: process, under the session lock.
 */
void tprof_page_set_total(struct tprof_page *page, u64 total)
{
	page->total = total;
	tprof_page_rest(page, total);
}

/**
 * tprof_page_permit - note whether user mode may execute RDPMC
 * @event:	event with a page for the current thread
 * @may_rdpmc:	it may
 *
 * The thread runs. So if the gate of @event is open, it is open on this CPU.
 *
 * Context: process. @event is not released meanwhile.
 */
void tprof_page_permit(const struct tprof_pmu_event *event, bool may_rdpmc)
{
	struct tprof_page *page = event->page;

	local_irq_disable();
	/* The reader is in a system call, and the page changes below, or when the gate opens. */
	WRITE_ONCE(page->may_rdpmc, may_rdpmc);
	page->user->cap_user_rdpmc = may_rdpmc;
	if (page->cpu == smp_processor_id())
		event->ops->show(event);
	local_irq_enable();
}

/* Return the nanoseconds that user mode computes from @tsc by @time_mult and @time_shift. */
static u64 user_ns(const struct perf_event_mmap_page *user, u64 tsc)
{
	u64 rest = tsc & (BIT_ULL(user->time_shift) - 1);

	return (tsc >> user->time_shift) * user->time_mult +
	       (rest * user->time_mult >> user->time_shift);
}

/* Set the times of the page. While the gate is open, user mode may compute them further. */
static void set_times(struct tprof_page *page, const struct tprof_pmu_opening *opening)
{
	struct perf_event_mmap_page *user = page->user;

	user->time_enabled = tprof_tsc_to_ns(page->ran_tsc);
	user->time_running = user->time_enabled;
	user->cap_user_time = opening->is_open && user->time_mult;
	user->time_offset = -user_ns(user, opening->since_tsc);
}

static void open_page(const struct tprof_pmu_event *event, u64 count,
		      const struct tprof_pmu_opening *opening)
{
	struct tprof_page *page = event->page;

	page->skew = page->total - count;
	page->mark_tsc = opening->open_tsc;
	set_times(page, opening);
	/* From now on, an NMI that changes the counter changes the page. */
	WRITE_ONCE(page->cpu, smp_processor_id());
	barrier();
	event->ops->show(event);
}

static void close_page(const struct tprof_pmu_event *event, u64 count,
		       const struct tprof_pmu_opening *opening)
{
	struct tprof_page *page = event->page;

	/* From now on, an NMI that changes the counter does not change the page. */
	WRITE_ONCE(page->cpu, -1);
	barrier();
	page->total = page->skew + count;
	page->ran_tsc += opening->open_tsc - page->mark_tsc;
	set_times(page, opening);
	tprof_page_rest(page, page->total);
}

/* Call @change for each event that has a page, with the event's count on this CPU. */
static void change_all(const struct tprof_pmu_gate *parts, u32 nr_parts,
		       const struct tprof_pmu_opening *opening,
		       void (*change)(const struct tprof_pmu_event *event, u64 count,
				      const struct tprof_pmu_opening *opening))
{
	const struct tprof_pmu_event *event;
	u32 i;

	for (; nr_parts; nr_parts--, parts++) {
		if (!parts->ops->show)
			continue;
		for (i = 0; i < parts->nr_members; i++) {
			event = parts->members[i].event;
			if (event->page)
				change(event, event->ops->count(event), opening);
		}
	}
}

/**
 * tprof_page_open_all - show the counters of a gate in their pages
 * @parts:	events behind the gate, which stand still
 * @nr_parts:	number of @parts
 * @opening:	the gate, which opens
 *
 * Context: on the CPU of the gate, interrupts off.
 */
void tprof_page_open_all(const struct tprof_pmu_gate *parts, u32 nr_parts,
			 const struct tprof_pmu_opening *opening)
{
	change_all(parts, nr_parts, opening, open_page);
}

/**
 * tprof_page_close_all - hide the counters of a gate in their pages
 * @parts:	events behind the gate, which stand still
 * @nr_parts:	number of @parts
 * @opening:	the gate, which was closed
 *
 * Context: on the CPU of the gate, interrupts off.
 */
void tprof_page_close_all(const struct tprof_pmu_gate *parts, u32 nr_parts,
			  const struct tprof_pmu_opening *opening)
{
	change_all(parts, nr_parts, opening, close_page);
}
