// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - clocks rest, so that they do not take all of a CPU's time
 */
#include <linux/math64.h>

#include "clock/rest.h"

/* Upper bound of t. A longer time means that a hypervisor descheduled the CPU. */
#define MAX_SPENT_NS	((u64)NSEC_PER_MSEC)

/* Upper bound of a rest, so that each of thousands of clocks still samples. */
#define MAX_REST_NS	((u64)NSEC_PER_SEC)

DEFINE_PER_CPU(struct tprof_clock_demand, tprof_clock_demands);

/* Return n, as defined in rest.h, for one of the clock's two CPUs. */
static u64 nr_like(const struct tprof_clock *clock, int cpu)
{
	const struct tprof_clock_demand *demand = per_cpu_ptr(&tprof_clock_demands, cpu);
	u64 hz = atomic64_read(&demand->hz) + READ_ONCE(demand->hz_open);

	return min_t(u64, tprof_clock_nr(cpu),
		     hz * tprof_clock_countable_period(clock) / NSEC_PER_SEC + 1);
}

static u64 cycles_to_ns(u64 cycles)
{
	return div64_u64(cycles * 1000000, tprof_clock_tsc_khz());
}

/**
 * tprof_clock_rest_ns - return how long a clock must rest
 * @clock:	clock that runs
 * @spent_ns:	time that its last tick took
 *
 * Context: hard interrupt.
 * Return: the rest, as defined in rest.h, in nanoseconds.
 */
u64 tprof_clock_rest_ns(const struct tprof_clock *clock, u64 spent_ns)
{
	u64 nr = max(nr_like(clock, clock->host), nr_like(clock, clock->cpu));

	return min(min(spent_ns, MAX_SPENT_NS) * TPROF_CLOCK_COST_SHARE * nr, MAX_REST_NS);
}

/**
 * tprof_clock_rest_for - skip the ticks that a rest must skip
 * @clock:	clock whose timer is set to its next tick
 * @next:	ns until that tick
 * @spent:	TSC cycles that the last tick took
 *
 * Context: hard interrupt on the host.
 */
void tprof_clock_rest_for(struct tprof_clock *clock, u64 next, u64 spent)
{
	u64 rest = tprof_clock_rest_ns(clock, max(cycles_to_ns(spent), clock->overdue));
	u64 period = clock->event->period;

	if (rest <= next)
		return;
	clock->skipped = div64_u64(rest - next + period - 1, period);
	hrtimer_add_expires_ns(&clock->timer, clock->skipped * period);
}

static void add_to_cpu(const struct tprof_clock *clock, int cpu, int nr)
{
	struct tprof_clock_demand *demand = per_cpu_ptr(&tprof_clock_demands, cpu);
	s64 hz = NSEC_PER_SEC / tprof_clock_countable_period(clock);

	atomic_add(nr, &demand->nr);
	atomic64_add(nr * hz, &demand->hz);
}

/**
 * tprof_clock_demand_add - add a clock to the demand on its host and on the CPU that it samples
 * @clock:	clock with a host
 * @nr:		1, or -1 to remove it
 *
 * Context: process.
 */
void tprof_clock_demand_add(const struct tprof_clock *clock, int nr)
{
	add_to_cpu(clock, clock->host, nr);
	if (clock->cpu != clock->host)
		add_to_cpu(clock, clock->cpu, nr);
}
