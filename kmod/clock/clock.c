// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the clock that the back ends `nmi` and `timer` share
 *
 * The clock of an event with a gate is a gated clock (gated.c), with one exception: a clock of
 * `nmi` that samples the kernel in a session with privileges. Its timer is another CPU's, so it
 * goes on ticking while the gate is closed, but such a tick takes no sample and sends no NMI. Both
 * kinds add up the time for which the gate is open, and a tick that finds it open takes the
 * samples that are due for that time. So the periods of all samples add up to that time, however
 * often and for however short the gate opens.
 *
 * The clock of a stalled event goes on ticking, too. Its ticks have no sample, now or later.
 *
 * Context: setting up, starting and stopping in process context; ticks in hard
 * interrupts, on PREEMPT_RT kernels too.
 */
#include <linux/errno.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <asm/tsc.h>

#include "base/ipi.h"
#include "base/mono.h"
#include "clock/clock.h"
#include "clock/rest.h"

/**
 * tprof_clock_check - check that a clock can sample an event
 *
 * Return: 0, or -EOPNOTSUPP if the event is not PERF_COUNT_SW_CPU_CLOCK.
 */
int tprof_clock_check(const struct tprof_pmu_event *event)
{
	if (event->attr->type != PERF_TYPE_SOFTWARE ||
	    event->attr->config != PERF_COUNT_SW_CPU_CLOCK)
		return -EOPNOTSUPP;
	return 0;
}

/*
 * Set the timer to its next tick. Return how many periods this tick stands for. A late
 * tick, as in a virtual machine whose CPU was descheduled, stands for all periods that
 * have passed. Without high resolution timers, a tick that is on time may stand for
 * several periods, too.
 */
static noinline u64 forward_any(struct tprof_clock *clock, ktime_t now)
{
	ktime_t due = hrtimer_get_expires(&clock->timer), next;
	u64 period = clock->event->period;
	u64 ticks = hrtimer_forward(&clock->timer, now, ns_to_ktime(period));

	tprof_clock_note_late(clock, ktime_to_ns(ktime_sub(now, due)), ticks > 1);
	if (unlikely(period < hrtimer_resolution)) {
		next = hrtimer_get_expires(&clock->timer);
		ticks = div64_u64(ktime_to_ns(ktime_sub(next, due)), period);
	}
	ticks += clock->skipped;
	clock->skipped = 0;
	return ticks;
}

/*
 * TSC bits that are all 0 at the beginning of one tick in 64, by chance. Such a tick notes how late
 * it was: if each tick did, that would be a hundredth of its instructions.
 */
#define NOTED_BITS	0x3f00

static noinline void note_entry(u64 late)
{
	tprof_cost_note_entry(late);
}

/* Do the same as forward_any(), in few steps if the tick is on time and no rest precedes it. */
static __always_inline u64 forward_clock(struct tprof_clock *clock, u64 begin, ktime_t now)
{
	/* A tick before its time is as if it were very late. */
	u64 late = ktime_to_ns(ktime_sub(now, hrtimer_get_expires(&clock->timer)));
	u64 period = clock->event->period;

	if (unlikely(late >= period || period < hrtimer_resolution || clock->skipped))
		return forward_any(clock, now);
	if (unlikely(!(begin & NOTED_BITS)))
		note_entry(late);
	hrtimer_add_expires_ns(&clock->timer, period);
	clock->overdue = 0;
	clock->was_missed = false;
	return 1;
}

/**
 * tprof_clock_take_due - count the samples that are due for the time of an open gate
 * @clock:	clock of an event with a gate
 * @tsc:	TSC that this CPU has just read
 *
 * Round to the nearest: a gate that is always open has been open for a little more or less
 * than a period at each tick.
 *
 * The gate is that of another CPU if the clock sends NMIs, so it may be changing. If this
 * tick finds too little time, the next one finds the rest.
 *
 * Context: hard interrupt on the host.
 * Return: number of samples; 0 if the gate is closed.
 */
u64 tprof_clock_take_due(struct tprof_clock *clock, u64 tsc)
{
	s64 due = tprof_pmu_open_cycles(clock->opening, tsc) - clock->sampled;
	u64 ticks;

	due += clock->open_period / 2;
	if (due <= 0 || !READ_ONCE(clock->opening->is_open))
		return 0;
	ticks = div64_u64(due, clock->open_period);
	clock->sampled += ticks * clock->open_period;
	return ticks;
}

static enum hrtimer_restart clock_tick(struct hrtimer *timer)
{
	struct tprof_clock *clock =
		container_of(timer, struct tprof_clock, timer);
	u64 begin = rdtsc(), spent, ticks;
	ktime_t now = ns_to_ktime(tprof_mono_ns_at(begin));
	tprof_clock_tick_t tick;

	ticks = forward_clock(clock, begin, now);
	if (clock->opening)
		ticks = tprof_clock_take_due(clock, begin);
	if (likely(ticks)) {
		tick = READ_ONCE(clock->tick);
		tick(clock, ticks);
	}
	spent = rdtsc() - begin;
	tprof_cost_spend(&clock->event->cost, spent, 1);
	/*
	 * If the sampled CPU is another one, it spends time on the tick, too. Use the longer
	 * time. @clock->spent may still be the time of an earlier sample.
	 */
	if (clock->cpu != clock->host)
		spent = max(spent, READ_ONCE(clock->spent));
	tprof_clock_rest_after(clock, now, spent);
	return HRTIMER_RESTART;
}

/**
 * tprof_clock_setup - initialise a clock that does not run
 * @event:	event that it samples
 * @cpu:	CPU that it samples
 * @take:	called in hard interrupt context when one or more samples are
 *		due
 */
void tprof_clock_setup(struct tprof_clock *clock,
		       struct tprof_pmu_event *event, int cpu,
		       tprof_clock_tick_t take)
{
	hrtimer_setup(&clock->timer, clock_tick, CLOCK_MONOTONIC,
		      HRTIMER_MODE_REL_PINNED_HARD);
	clock->event = event;
	clock->take = take;
	clock->cpu = cpu;
	clock->host = -1;
}

static void start_here(void *data)
{
	struct tprof_clock *clock = data;

	hrtimer_start(&clock->timer, ns_to_ktime(clock->event->period),
		      HRTIMER_MODE_REL_PINNED_HARD);
}

static int run_on(struct tprof_clock *clock, int host)
{
	int err;

	clock->host = host;
	tprof_clock_demand_add(clock, 1);
	err = tprof_ipi_call(host, start_here, clock);
	if (err)
		tprof_clock_stop(clock);
	return err;
}

static void set_opening(struct tprof_clock *clock)
{
	const struct tprof_pmu_event *event = clock->event;

	clock->opening = event->openings ? per_cpu_ptr(event->openings, clock->cpu) : NULL;
	if (!clock->opening)
		return;
	clock->open_period = mul_u64_u64_div_u64(event->period, tprof_clock_tsc_khz(),
						 NSEC_PER_MSEC);
	clock->sampled = tprof_pmu_open_cycles(clock->opening, rdtsc());
}

/**
 * tprof_clock_begin - set the values that change while a clock runs
 * @clock:	clock that does not run
 *
 * Context: process, CPU hotplug locked.
 */
void tprof_clock_begin(struct tprof_clock *clock)
{
	clock->tick = clock->take;
	clock->cycle_ns = DIV_ROUND_UP(1000000, tprof_clock_tsc_khz());
	clock->was_missed = false;
	clock->latency = 0;
	clock->skipped = 0;
	clock->missed = 0;
	clock->spent = 0;
	set_opening(clock);
}

/**
 * tprof_clock_start - start a clock
 * @clock:	clock that does not run
 * @host:	online CPU to run its timer on
 *
 * Context: process, CPU hotplug locked.
 * Return: 0, or -ENXIO when @host is offline.
 */
int tprof_clock_start(struct tprof_clock *clock, int host)
{
	tprof_clock_begin(clock);
	return run_on(clock, host);
}

/**
 * tprof_clock_move - move a clock's timer to another CPU
 * @clock:	clock that runs
 * @host:	online CPU to run its timer on
 *
 * Unlike tprof_clock_start(), this does not reset @missed and @spent, because the
 * sampled CPU may be writing them at the same time.
 *
 * Context: process, CPU hotplug locked.
 * Return: 0, or -ENXIO when @host is offline; then the clock is stopped.
 */
int tprof_clock_move(struct tprof_clock *clock, int host)
{
	s64 left;

	tprof_clock_stop(clock);
	/*
	 * Skipped ticks that are not due yet no longer count as skipped: the
	 * restarted timer will tick for them.
	 */
	left = ktime_to_ns(hrtimer_get_remaining(&clock->timer));
	if (left > 0)
		clock->skipped -= min(clock->skipped,
				      div64_u64(left, clock->event->period));
	return run_on(clock, host);
}

/**
 * tprof_clock_stop - stop a clock
 *
 * On return, no tick is running and none will run.
 *
 * Context: process.
 */
void tprof_clock_stop(struct tprof_clock *clock)
{
	if (clock->host < 0)
		return;
	hrtimer_cancel(&clock->timer);
	tprof_clock_demand_add(clock, -1);
	clock->host = -1;
}

static void take_nothing(struct tprof_clock *clock, u64 ticks)
{
}

/**
 * tprof_clock_stall - take no samples, or take samples again
 * @clock:	clock that runs
 * @is_stalled:	take no samples
 *
 * A tick that is under way on another CPU may still send its NMI.
 *
 * Context: any, NMI included, interrupts off, on the sampled CPU.
 */
void tprof_clock_stall(struct tprof_clock *clock, bool is_stalled)
{
	WRITE_ONCE(clock->tick, is_stalled ? take_nothing : clock->take);
}

/* Return true if the gate of the event is closed. Context: the sampled CPU. */
static bool is_shut(const struct tprof_clock *clock)
{
	return clock->opening && !READ_ONCE(clock->opening->is_open);
}

/**
 * tprof_clock_sample - take one sample for one or more ticks
 * @regs:	registers of the interrupted context on the sampled CPU, or NULL
 * @ticks:	number of ticks that the sample stands for; their periods add up
 *
 * @regs is NULL if the kernel runs the timer outside of an interrupt. Some
 * kernels do that when they take over the timers of a dead CPU. Then no sample
 * is taken, and the next sample stands for @ticks as well. The same happens if the gate
 * was closed after the tick had sent its NMI.
 *
 * Context: hard interrupt or NMI.
 */
void tprof_clock_sample(struct tprof_clock *clock, struct pt_regs *regs,
			u64 ticks)
{
	struct tprof_pmu_event *event = clock->event;

	ticks += clock->missed;
	clock->missed = 0;
	if (unlikely(!regs || is_shut(clock))) {
		clock->missed = ticks;
		return;
	}
	event->sink(event, regs, ticks * event->period, ticks - 1);
}

/**
 * tprof_clock_sample_from_host - take one sample, and note the time that it takes
 * @clock:	clock whose host is another CPU; see tprof_clock_sample() for the rest
 * @regs:	registers of the interrupted context
 * @ticks:	number of ticks
 *
 * Context: NMI.
 */
void tprof_clock_sample_from_host(struct tprof_clock *clock, struct pt_regs *regs, u64 ticks)
{
	u64 begin = rdtsc(), spent;

	tprof_clock_sample(clock, regs, ticks);
	spent = rdtsc() - begin;
	WRITE_ONCE(clock->spent, spent);
	tprof_cost_spend(&clock->event->cost, spent, 1);
}
