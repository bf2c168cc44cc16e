// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - what the back ends without a counter have in common
 *
 * Clocks that ask for more than a CPU can do must not take it from everybody else.
 * So each has to rest, after what it did, for COST_SHARE times as long, and that for
 * each of the clocks that the CPU has: together they come to a share of its time,
 * however many there are, and one that ticks slowly never has to. That is of the
 * CPU that is sampled as well as of the one whose timer ticks, and what an interrupt
 * takes before the handler and after it comes on top. Ticks in that time are not
 * lost: the next sample stands for them.
 *
 * Context: setting up, starting and stopping in process context; ticks in
 * hard interrupts, on PREEMPT_RT kernels too.
 */
#include <linux/atomic.h>
#include <linux/errno.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/smp.h>
#include <asm/tsc.h>

#include "clock.h"

/* All clocks' handlers together may take so small a part of a CPU's time. */
#define COST_SHARE	8

/* What took longer was not our work: a hypervisor had the CPU meanwhile. */
#define MAX_SPENT_US	1000

/* Where the kernel does not know how fast the TSC is: slowly, to rest longer. */
#define SLOW_TSC_KHZ	1000000

/* How many clocks that run have a CPU as their host, or sample it. */
static DEFINE_PER_CPU(atomic_t, nr_clocks);

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

/*
 * A tick that is late, as in a virtual machine whose CPU was taken away, stands
 * for those that it had missed.
 */
static u64 forward(struct tprof_clock *clock, ktime_t now)
{
	u64 ticks = hrtimer_forward(&clock->timer, now,
				    ns_to_ktime(clock->event->period));

	ticks += clock->skipped;
	clock->skipped = 0;
	return ticks;
}

static u64 rest_ns(const struct tprof_clock *clock, u64 spent)
{
	u64 khz = tsc_khz ?: SLOW_TSC_KHZ;
	int nr = max(atomic_read(per_cpu_ptr(&nr_clocks, clock->host)),
		     atomic_read(per_cpu_ptr(&nr_clocks, clock->cpu)));

	spent = min(spent, khz * MAX_SPENT_US / 1000);
	return div64_u64(spent * COST_SHARE * nr * 1000000, khz);
}

/* Let go of the ticks that come too soon, as seen from @now. */
static void skip(struct tprof_clock *clock, ktime_t now, u64 rest)
{
	u64 next = ktime_to_ns(ktime_sub(hrtimer_get_expires(&clock->timer), now));
	u64 period = clock->event->period;

	if (likely(rest <= next))
		return;
	clock->skipped = div64_u64(rest - next + period - 1, period);
	hrtimer_add_expires_ns(&clock->timer, clock->skipped * period);
}

static enum hrtimer_restart clock_tick(struct hrtimer *timer)
{
	struct tprof_clock *clock =
		container_of(timer, struct tprof_clock, timer);
	ktime_t now = hrtimer_cb_get_time(timer);
	u64 begin = rdtsc(), spent;

	clock->tick(clock, forward(clock, now));
	/* What an NMI on another CPU took is that of the tick before. */
	spent = max(rdtsc() - begin, READ_ONCE(clock->spent));
	skip(clock, now, rest_ns(clock, spent));
	return HRTIMER_RESTART;
}

/**
 * tprof_clock_setup - make a clock that does not run
 * @clock:	clock
 * @event:	event that it samples
 * @cpu:	CPU that it samples
 * @tick:	called in hard interrupt context when it is time for one or more
 *		samples
 */
void tprof_clock_setup(struct tprof_clock *clock,
		       struct tprof_pmu_event *event, int cpu,
		       void (*tick)(struct tprof_clock *clock, u64 ticks))
{
	hrtimer_setup(&clock->timer, clock_tick, CLOCK_MONOTONIC,
		      HRTIMER_MODE_REL_PINNED_HARD);
	clock->event = event;
	clock->tick = tick;
	clock->cpu = cpu;
	clock->host = -1;
}

static void start_here(void *data)
{
	struct tprof_clock *clock = data;

	hrtimer_start(&clock->timer, ns_to_ktime(clock->event->period),
		      HRTIMER_MODE_REL_PINNED_HARD);
}

static void add_to_cpus(const struct tprof_clock *clock, int nr)
{
	atomic_add(nr, per_cpu_ptr(&nr_clocks, clock->host));
	if (clock->cpu != clock->host)
		atomic_add(nr, per_cpu_ptr(&nr_clocks, clock->cpu));
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
	int err;

	clock->host = host;
	clock->skipped = 0;
	clock->missed = 0;
	clock->spent = 0;
	add_to_cpus(clock, 1);
	err = smp_call_function_single(host, start_here, clock, 1);
	if (err)
		tprof_clock_stop(clock);
	return err;
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
	if (clock->host < 0)
		return;
	hrtimer_cancel(&clock->timer);
	add_to_cpus(clock, -1);
	clock->host = -1;
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
	u64 begin = rdtsc();

	ticks += clock->missed;
	clock->missed = regs ? 0 : ticks;
	if (unlikely(!regs))
		return;
	event->sink(event, regs, ticks * event->period, ticks - 1);
	WRITE_ONCE(clock->spent, rdtsc() - begin);
}
