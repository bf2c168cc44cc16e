// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - what the back ends without a counter have in common
 *
 * Context: setting up, starting and stopping in process context; ticks in
 * hard interrupts, on PREEMPT_RT kernels too.
 */
#include <linux/errno.h>
#include <linux/smp.h>

#include "clock.h"

/**
 * tprof_clock_check - is this an event that a clock can do
 * @event:	event
 *
 * Return: 0, or -EOPNOTSUPP when the attr names another event.
 */
int tprof_clock_check(const struct tprof_pmu_event *event)
{
	if (event->attr->type != PERF_TYPE_SOFTWARE ||
	    event->attr->config != PERF_COUNT_SW_CPU_CLOCK)
		return -EOPNOTSUPP;
	return 0;
}

/**
 * tprof_clock_setup - make a clock that does not run
 * @clock:	clock
 * @event:	event that it samples
 * @cpu:	CPU that it samples
 * @tick:	called in hard interrupt context at each expiry
 */
void tprof_clock_setup(struct tprof_clock *clock,
		       struct tprof_pmu_event *event, int cpu,
		       tprof_clock_tick_t tick)
{
	hrtimer_setup(&clock->timer, tick, CLOCK_MONOTONIC,
		      HRTIMER_MODE_REL_PINNED_HARD);
	clock->event = event;
	clock->cpu = cpu;
	clock->host = -1;
}

static void start_here(void *data)
{
	struct tprof_clock *clock = data;

	hrtimer_start(&clock->timer, ns_to_ktime(clock->event->period),
		      HRTIMER_MODE_REL_PINNED_HARD);
}

/**
 * tprof_clock_start - let it run
 * @clock:	clock that does not run
 * @host:	online CPU that its timer shall run on
 *
 * Context: process, CPU hotplug locked.
 * Return: 0, or -ENXIO when @host is gone.
 */
int tprof_clock_start(struct tprof_clock *clock, int host)
{
	clock->host = host;
	clock->missed = 0;
	return smp_call_function_single(host, start_here, clock, 1);
}

/**
 * tprof_clock_stop - end it
 * @clock:	clock
 *
 * When it returns, no tick is running or will run.
 *
 * Context: process.
 */
void tprof_clock_stop(struct tprof_clock *clock)
{
	hrtimer_cancel(&clock->timer);
	clock->host = -1;
}

/**
 * tprof_clock_forward - set the next expiry
 * @clock:	clock whose tick runs
 *
 * A tick that is late, as in a virtual machine whose CPU was taken away, may
 * find the next one due at once. That one is let go, and counted, so that a
 * CPU that cannot keep up is not held in its timer interrupt.
 *
 * Context: hard interrupt.
 * Return: periods since the last tick; more than one when this one was late.
 */
u64 tprof_clock_forward(struct tprof_clock *clock)
{
	ktime_t period = ns_to_ktime(clock->event->period);
	u64 ticks = hrtimer_forward_now(&clock->timer, period);

	if (likely(ticks == 1) ||
	    hrtimer_expires_remaining(&clock->timer) >= period / 2)
		return ticks;
	hrtimer_add_expires(&clock->timer, period);
	return ticks + 1;
}

/**
 * tprof_clock_sample - one sample for one or more ticks
 * @clock:	clock
 * @regs:	what was interrupted on the CPU that is sampled, or NULL
 * @ticks:	how many ticks it stands for; their periods add up
 *
 * Nothing was interrupted when the kernel runs a timer on the way: some do so
 * when a CPU has died and its timers are looked through. The next sample then
 * stands for that tick as well.
 *
 * Context: hard interrupt or NMI.
 */
void tprof_clock_sample(struct tprof_clock *clock, struct pt_regs *regs,
			u64 ticks)
{
	struct tprof_pmu_event *event = clock->event;

	ticks += clock->missed;
	clock->missed = regs ? 0 : ticks;
	if (unlikely(!regs))
		return;
	event->sink(event, regs, ticks * event->period, ticks - 1);
}
