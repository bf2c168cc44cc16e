// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - an event on a CPU: its counter and its period
 *
 * Context: process, under the x86 lock (pmu_x86.c), with CPU hotplug locked
 * where a counter is touched.
 */
#include <linux/bitops.h>
#include <linux/container_of.h>
#include <linux/jiffies.h>
#include <linux/list.h>
#include <linux/minmax.h>
#include <linux/printk.h>
#include <linux/random.h>
#include <asm/tsc.h>

#include "base/mono.h"
#include "base/tsc.h"
#include "x86/x86_claim.h"
#include "x86/x86_commit.h"
#include "x86/x86_host.h"
#include "x86/x86_move.h"
#include "x86/x86_run.h"
#include "x86/x86_share.h"

/* Every tprof_x86_run that has a counter. While @is_suspended, none is armed. */
static LIST_HEAD(running);
static bool is_suspended;

/*
 * Limits for tprof_x86_counter_bound(). With a period up to BOUNDED_PERIOD, a counter may
 * overflow again before its interrupt is over, as it counts the entry and exit
 * of the interrupt. If the PMU has no register that stops all counters, the
 * counter counts the handler as well, and the limit is BOUNDED_PERIOD_ALL.
 */
#define BOUNDED_PERIOD		65536
#define BOUNDED_PERIOD_ALL	1000000

static void set_run_period(struct tprof_x86_run *run)
{
	const struct tprof_pmu_event *event = run->counter.event;
	bool can_stop = tprof_x86_host_presumed_caps(run->cpu)->global_ctrl;

	tprof_x86_counter_set_period(&run->counter, event->period,
				     event->is_random, get_random_u64());
	/* A counter of kernel code is always bounded: see x86_counter.c. */
	if (event->is_bounded || !event->attr->exclude_kernel)
		tprof_x86_counter_bound(&run->counter,
					can_stop ? BOUNDED_PERIOD :
						   BOUNDED_PERIOD_ALL);
}

/**
 * tprof_x86_run_setup - initialise an event that may run on a CPU
 * @run:	to be filled
 * @cpu:	CPU
 * @rows:	counters of that CPU
 */
void tprof_x86_run_setup(struct tprof_x86_run *run,
			 struct tprof_pmu_event *event, int cpu,
			 struct tprof_x86_rows *rows)
{
	run->counter.event = event;
	run->seat.event = event;
	run->seat.period = &run->counter.period;
	run->seat.row = -1;
	run->counter.is_shown = event->page;
	run->cpu = cpu;
	run->rows = rows;
	run->period = event->period;
	set_run_period(run);
}

/*
 * Prepare the counter for the start of its event. A period continues where the event was
 * stopped, unless WRITE has changed the period. A period that is adapted to a
 * frequency starts from the first period again.
 */
static void set_run_distance(struct tprof_x86_run *run)
{
	const struct tprof_pmu_event *event = run->counter.event;
	const struct perf_event_attr *attr = event->attr;
	u64 hz = (u64)(tsc_khz ?: TPROF_ANY_TSC_KHZ) * 1000;

	if (attr->freq)
		tprof_x86_counter_set_rate(&run->counter,
					   hz / attr->sample_freq,
					   TPROF_X86_MIN_PERIOD,
					   event->is_random, get_random_u64());
	else if (run->period != event->period)
		set_run_period(run);
	run->period = event->period;
}

static void set_width(struct tprof_x86_run *run,
		      const struct tprof_x86_caps *caps)
{
	tprof_x86_counter_set_width(&run->counter,
				    tprof_x86_row_bits(caps, run->seat.row),
				    caps->has_full_width, run->select.grain);
}

static bool has_yielded(const struct tprof_x86_run *run)
{
	return READ_ONCE(per_cpu_ptr(tprof_x86_cpus, run->cpu)->has_yielded);
}

/* Add the yield because of which the event stands still. */
static void add_yield(const struct tprof_x86_run *run, struct tprof_pmu_yields *sum)
{
	unsigned long at = per_cpu_ptr(tprof_x86_cpus, run->cpu)->yielded_at;

	sum->nr++;
	sum->doubtful_ns += jiffies_to_nsecs(run->counter.doubtful);
	sum->last_ns = tprof_mono_ns() - jiffies_to_nsecs(jiffies - at);
}

/* The event stops: keep what it has to say of a yield. */
static void keep_yield(struct tprof_x86_run *run)
{
	if (has_yielded(run))
		add_yield(run, &run->yields);
}

/* If the CPU has yielded, the event stays armed in name, so that its STOP can note that. */
static void disarm_run(struct tprof_x86_run *run)
{
	tprof_x86_host_disarm(run->cpu, run->seat.row);
	run->is_armed = has_yielded(run);
}

/* Give back a counter that was disarmed. */
static void give_row(struct tprof_x86_run *run)
{
	if (run->is_armed)
		keep_yield(run);
	run->step = TPROF_X86_GOES_ON;
	run->is_armed = false;
	tprof_x86_rows_give(run->rows, &run->seat);
	list_del(&run->node);
	run->gate = NULL;
	if (!run->rows->taken)
		tprof_x86_host_end_yield(run->cpu);
}

/**
 * tprof_x86_run_commit - let events begin that were started, and end those that were stopped
 * @cpu:	online CPU
 * @rows:	its counters
 *
 * Return: 0, or -errno if an event could not begin: see tprof_x86_run_start().
 */
int tprof_x86_run_commit(int cpu, struct tprof_x86_rows *rows)
{
	int err = tprof_x86_commit(cpu, rows, is_suspended);
	u64 left = rows->taken;

	for (; left; left &= left - 1) {
		if (tprof_x86_run_of_row(rows, __ffs(left))->step == TPROF_X86_ENDS)
			give_row(tprof_x86_run_of_row(rows, __ffs(left)));
	}
	return err;
}

/*
 * Take a counter. If none is free, let other events move to free one. If that cannot be,
 * share one.
 */
static int take_row(struct tprof_x86_run *run)
{
	int err = tprof_x86_rows_take(run->rows, &run->seat);

	if (!err)
		return 0;
	/* Only events that have begun can move. */
	err = tprof_x86_run_commit(run->cpu, run->rows) ?:
	      tprof_x86_move_off(run->cpu, run->rows, run->seat.able);
	if (!err)
		return tprof_x86_rows_take(run->rows, &run->seat);
	return err == -EBUSY ? tprof_x86_share_begin(run) : err;
}

/* Go on like the other events of the counter, which is shared. The gate is closed. */
static void join_row(struct tprof_x86_run *run)
{
	struct tprof_x86_seat *other = run->rows->seats[run->seat.row];

	if (other == &run->seat)
		other = other->next;
	run->counter.sampled_at = tprof_x86_cpu_clock(&run->counter, 0);
	run->is_armed = container_of(other, struct tprof_x86_run, seat)->is_armed;
}

static void leave_row(struct tprof_x86_run *run)
{
	tprof_x86_share_end(run);
	list_del(&run->node);
	run->gate = NULL;
	keep_yield(run);
	run->is_armed = false;
}

/**
 * tprof_x86_run_is_for - report whether an event is for a CPU
 * @caps:	capabilities of the CPU
 *
 * Return: false if the CPU is a core of another kind than the event counts on.
 */
bool tprof_x86_run_is_for(const struct tprof_pmu_event *event, const struct tprof_x86_caps *caps)
{
	if (event->cores == TPROF_LX_EVENT_CPU_CORE)
		return caps->core_type == TPROF_X86_CORE_LARGE;
	if (event->cores == TPROF_LX_EVENT_CPU_ATOM)
		return caps->core_type == TPROF_X86_CORE_SMALL;
	return true;
}

static int get_row(struct tprof_x86_run *run)
{
	struct tprof_pmu_event *event = run->counter.event;
	const struct tprof_x86_caps *caps = tprof_x86_host_caps(run->cpu);
	int err;

	err = tprof_x86_select(event->attr, caps, &run->select);
	if (err)
		return err;
	err = tprof_x86_claim_foreign(run->cpu, &run->rows->foreign);
	if (err)
		return err;
	run->seat.able = run->select.rows;
	err = take_row(run);
	if (err)
		return err;
	run->counter.opening = event->openings ? per_cpu_ptr(event->openings, run->cpu) : NULL;
	list_add_tail(&run->node, &running);
	set_width(run, caps);
	return 0;
}

/**
 * tprof_x86_run_join - note which gate an event is behind
 * @run:	event that was started; it has a counter if it is for this CPU
 * @gate:	gate of the same CPU; the event's counter is added to its @rows
 * @member:	the event in @gate
 */
void tprof_x86_run_join(struct tprof_x86_run *run, struct tprof_pmu_gate *gate,
			struct tprof_pmu_member *member)
{
	member->here = &run->counter;
	if (run->seat.row < 0) {
		tprof_x86_share_check(gate);
		return;
	}
	run->gate = gate;
	gate->rows |= BIT_ULL(run->seat.row);
	tprof_x86_share_join(run, gate);
}

/**
 * tprof_x86_run_start - take a counter for an event, which tprof_x86_run_commit() arms
 * @run:	event that does not run on the CPU
 *
 * If the event is not for the CPU, it takes no counter.
 *
 * Return: 0; -EBUSY if there is no assignment of the enabled counters in which this event
 * and all that run have one, and it can share none, or if an intruder uses the counters; -EIO
 * if a register cannot be accessed; or an error of tprof_x86_select().
 */
int tprof_x86_run_start(struct tprof_x86_run *run)
{
	int err;

	if (!tprof_x86_run_is_for(run->counter.event, tprof_x86_host_caps(run->cpu)))
		return 0;
	if (has_yielded(run))
		return -EBUSY;
	err = get_row(run);
	if (err)
		return err;
	set_run_distance(run);
	if (tprof_x86_is_shared(run))
		join_row(run);
	else
		run->step = TPROF_X86_BEGINS;
	return 0;
}

/**
 * tprof_x86_run_stop - let an event give its counter back, which tprof_x86_run_commit() disarms
 * @run:	event that may run on the CPU
 */
void tprof_x86_run_stop(struct tprof_x86_run *run)
{
	if (run->seat.row < 0)
		return;
	if (tprof_x86_is_shared(run)) {
		leave_row(run);
		return;
	}
	run->step = TPROF_X86_ENDS;
}

/**
 * tprof_x86_run_read - read the count of an event
 * @run:	event that may run on the CPU
 *
 * Return: events.
 */
u64 tprof_x86_run_read(struct tprof_x86_run *run)
{
	return run->is_armed ? tprof_x86_host_read(run->cpu, &run->counter, run->seat.row) :
			       run->counter.count;
}

/**
 * tprof_x86_run_add_yields - add up how often an event stopped because of an intruder
 * @run:	event that may run on the CPU
 * @sum:	sum to add to
 *
 * Context: any. While the event stops, the sum may have a yield twice or not.
 */
void tprof_x86_run_add_yields(const struct tprof_x86_run *run, struct tprof_pmu_yields *sum)
{
	sum->nr += READ_ONCE(run->yields.nr);
	sum->doubtful_ns += READ_ONCE(run->yields.doubtful_ns);
	sum->last_ns = max(sum->last_ns, READ_ONCE(run->yields.last_ns));
	if (READ_ONCE(run->is_armed) && has_yielded(run))
		add_yield(run, sum);
}

/**
 * tprof_x86_run_show - show the counter of an event in its page
 * @run:	event that has a page, and a counter on this CPU
 *
 * Context: interrupts off, on the CPU.
 */
void tprof_x86_run_show(const struct tprof_x86_run *run)
{
	if (tprof_x86_run_has_seat(run))
		tprof_x86_cpu_show(&run->counter);
	else
		tprof_page_hide(run->counter.event->page, run->counter.count);
}

/**
 * tprof_x86_run_stall - stall an event on this CPU, or end its stall
 * @run:	event that has a counter on this CPU
 * @is_stalled:	let the event stand still
 *
 * Context: NMI of the counter to stall the event, else interrupts off; on the CPU.
 */
void tprof_x86_run_stall(struct tprof_x86_run *run, bool is_stalled)
{
	struct tprof_x86_cpu *xcpu = this_cpu_ptr(tprof_x86_cpus);

	if (xcpu->counters[run->seat.row] == &run->counter)
		tprof_x86_cpu_stall(xcpu, run->seat.row, is_stalled);
	else
		run->counter.is_stalled = is_stalled;
}

/* Note that the counter of an event, which may be shared, is armed or not. */
static void note_armed(struct tprof_x86_run *run, bool is_armed)
{
	struct tprof_x86_seat *seat = run->rows->seats[run->seat.row];

	for (; seat; seat = seat->next)
		container_of(seat, struct tprof_x86_run, seat)->is_armed = is_armed;
}

/**
 * tprof_x86_run_sleep_all - disarm all counters, before the machine sleeps
 *
 * Until tprof_x86_run_wake_all(), an event that starts takes its counter but does not
 * arm it.
 */
void tprof_x86_run_sleep_all(void)
{
	struct tprof_x86_run *run;

	is_suspended = true;
	list_for_each_entry(run, &running, node) {
		if (!run->is_armed)
			continue;
		disarm_run(run);
		if (!run->is_armed)
			note_armed(run, false);
	}
}

/** tprof_x86_run_wake_all - arm all counters again, after the sleep */
void tprof_x86_run_wake_all(void)
{
	struct tprof_x86_run *run;

	is_suspended = false;
	list_for_each_entry(run, &running, node) {
		if (run->is_armed || run->step)
			continue;
		if (tprof_x86_host_arm_again(run->cpu, run->seat.row))
			pr_warn("CPU %d: a counter did not restart after sleep\n",
				run->cpu);
		else
			note_armed(run, true);
	}
}
