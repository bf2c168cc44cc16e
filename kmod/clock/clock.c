// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - what the back ends without a counter have in common
 *
 * Clocks that ask for more than a CPU can do must not take it from everybody else.
 * So each has to rest, after what it did, for COST_SHARE times as long; and not only
 * for itself, but for all clocks of the CPU, or, if that is less, for as many of its
 * own kind as would ask for what all of them do. Whatever they ask for, they come to
 * two such shares of the CPU's time then; and clocks that tick slowly, of however
 * many sessions, do not count much with one that ticks fast. That is of the CPU that
 * is sampled as well as of the one whose timer ticks.
 *
 * What an interrupt takes before the handler and after it is not seen, but if that
 * is too long for the period, each tick is late, and later than one is that comes
 * after a rest: by how much counts as well.
 *
 * Ticks in that time are not lost: the next sample stands for them.
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

#include "clock/clock.h"

/* The handlers of a CPU's clocks may take twice so small a part of its time. */
#define COST_SHARE	8

/* What took longer was not our work: a hypervisor had the CPU meanwhile. */
#define MAX_SPENT_NS	((u64)NSEC_PER_MSEC)

/* Thousands of clocks have samples now and then, too. */
#define MAX_REST_NS	((u64)NSEC_PER_SEC)

/* Where the kernel does not know how fast the TSC is: slowly, to rest longer. */
#define SLOW_TSC_KHZ	1000000

/**
 * struct demand - the clocks that run and have a CPU as their host, or sample it
 * @nr:		how many
 * @hz:		how often they want to tick, all together
 */
struct demand {
	atomic_t	nr;
	atomic64_t	hz;
};

static DEFINE_PER_CPU(struct demand, demands);

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

/* No more than a second: less than that is not asked of a CPU. */
static u64 countable_period(const struct tprof_clock *clock)
{
	return min_t(u64, clock->event->period, NSEC_PER_SEC);
}

/* For how many clocks it has to rest, on one of its CPUs. */
static u64 nr_like(const struct tprof_clock *clock, int cpu)
{
	const struct demand *demand = per_cpu_ptr(&demands, cpu);
	u64 hz = atomic64_read(&demand->hz);

	return min_t(u64, atomic_read(&demand->nr),
		     hz * countable_period(clock) / NSEC_PER_SEC + 1);
}

static u64 cycles_to_ns(u64 cycles)
{
	return div64_u64(cycles * 1000000, tsc_khz ?: SLOW_TSC_KHZ);
}

static u64 rest_ns(const struct tprof_clock *clock, u64 spent_ns)
{
	u64 nr = max(nr_like(clock, clock->host), nr_like(clock, clock->cpu));

	return min(min(spent_ns, MAX_SPENT_NS) * COST_SHARE * nr, MAX_REST_NS);
}

/*
 * Once, a tick may be late for somebody's section with interrupts off, and all may be
 * if timers come late here.
 */
static void measure_lateness(struct tprof_clock *clock, u64 late, bool is_missed)
{
	clock->overdue = 0;
	if (clock->skipped)
		clock->latency = late;
	else if (is_missed && clock->was_missed && late > clock->latency)
		clock->overdue = late - clock->latency;
	clock->was_missed = is_missed;
}

/*
 * A tick that is late, as in a virtual machine whose CPU was taken away, stands
 * for those that it had missed. Timers that are not of high resolution take longer
 * steps than the period.
 */
static u64 forward_clock(struct tprof_clock *clock, ktime_t now)
{
	ktime_t due = hrtimer_get_expires(&clock->timer), next;
	u64 period = clock->event->period;
	u64 ticks = hrtimer_forward(&clock->timer, now, ns_to_ktime(period));

	measure_lateness(clock, ktime_to_ns(ktime_sub(now, due)), ticks > 1);
	if (unlikely(period < hrtimer_resolution)) {
		next = hrtimer_get_expires(&clock->timer);
		ticks = div64_u64(ktime_to_ns(ktime_sub(next, due)), period);
	}
	ticks += clock->skipped;
	clock->skipped = 0;
	return ticks;
}

/* Let go of the ticks that come too soon, as seen from @now. */
static void skip_ticks(struct tprof_clock *clock, ktime_t now, u64 rest)
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

	clock->tick(clock, forward_clock(clock, now));
	/* What an NMI on another CPU took is that of the tick before. */
	spent = max(rdtsc() - begin, READ_ONCE(clock->spent));
	skip_ticks(clock, now,
		   rest_ns(clock, max(cycles_to_ns(spent), clock->overdue)));
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

static void add_to_cpu(const struct tprof_clock *clock, int cpu, int nr)
{
	struct demand *demand = per_cpu_ptr(&demands, cpu);
	s64 hz = NSEC_PER_SEC / countable_period(clock);

	atomic_add(nr, &demand->nr);
	atomic64_add(nr * hz, &demand->hz);
}

static void add_to_cpus(const struct tprof_clock *clock, int nr)
{
	add_to_cpu(clock, clock->host, nr);
	if (clock->cpu != clock->host)
		add_to_cpu(clock, clock->cpu, nr);
}

static int run_on(struct tprof_clock *clock, int host)
{
	int err;

	clock->host = host;
	add_to_cpus(clock, 1);
	err = smp_call_function_single(host, start_here, clock, 1);
	if (err)
		tprof_clock_stop(clock);
	return err;
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
	clock->was_missed = false;
	clock->latency = 0;
	clock->skipped = 0;
	clock->missed = 0;
	clock->spent = 0;
	return run_on(clock, host);
}

/**
 * tprof_clock_move - let it run on another CPU
 * @clock:	clock that runs; what it samples may be doing so just now
 * @host:	online CPU that its timer shall run on
 *
 * Context: process, CPU hotplug locked.
 * Return: 0, or -ENXIO when @host is gone; then it is stopped.
 */
int tprof_clock_move(struct tprof_clock *clock, int host)
{
	s64 left;

	tprof_clock_stop(clock);
	/* Ticks that were to be skipped, and have not passed, are still to come. */
	left = ktime_to_ns(hrtimer_get_remaining(&clock->timer));
	if (left > 0)
		clock->skipped -= min(clock->skipped,
				      div64_u64(left, clock->event->period));
	return run_on(clock, host);
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
