/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - clocks rest, so that they do not take all of a CPU's time
 *
 * A frequency that is too high for a CPU must not take all of its time. So after a
 * tick that cost the time t, a clock rests: it skips the ticks that would come within
 *
 *   rest = t * COST_SHARE * n
 *   n = min(nr, hz / own_hz + 1)
 *
 * COST_SHARE is TPROF_CLOCK_COST_SHARE, nr is the number of clocks that run on the CPU or
 * sample it, hz is the sum of their frequencies, and own_hz is the frequency of this clock. So
 * this clock takes no more than
 *
 *   1 / (COST_SHARE * n) <= 1 / (COST_SHARE * nr) + own_hz / (COST_SHARE * hz)
 *
 * of the CPU's time. Over all nr clocks, each of the two terms adds up to 1 /
 * COST_SHARE, so all clocks together take 2 / COST_SHARE at most. The second
 * term is for a fast clock beside many slow ones: its n is small, although nr
 * is large.
 *
 * A clock uses the time of two CPUs: its host, on which the timer runs, and the CPU
 * that it samples. So n is computed for both CPUs, and the larger n is used. t
 * is the largest of
 *
 * - the time of the tick's handler on the host
 * - the time of the last sample on the sampled CPU
 * - the time by which the tick came too late (@overdue)
 *
 * The time that an interrupt costs outside of its handler cannot be measured:
 * cost.h has an estimate, to which ticks contribute, and which gated clocks use.
 * @overdue is used here: if this cost exceeds the period, each tick is
 * later than the first tick after a rest. @overdue is this difference.
 *
 * Skipped ticks are not lost: the next sample's period includes their periods.
 */
#ifndef TPROF_CLOCK_REST_H
#define TPROF_CLOCK_REST_H

#include <linux/atomic.h>
#include <linux/minmax.h>
#include <linux/percpu.h>

#include "clock/clock_types.h"

/* All clocks of a CPU together may take 2 / TPROF_CLOCK_COST_SHARE of its time. */
#define TPROF_CLOCK_COST_SHARE	8

/**
 * struct tprof_clock_demand - the clocks that run on a CPU or sample it
 * @nr:		number of clocks, without the gated ones
 * @hz:		sum of their frequencies
 * @nr_open:	number of gated clocks that tick, as their gates are open; W: the CPU
 * @hz_open:	sum of their frequencies; W: the CPU
 */
struct tprof_clock_demand {
	atomic_t	nr;
	atomic64_t	hz;
	unsigned int	nr_open;
	u64		hz_open;
};

DECLARE_PER_CPU(struct tprof_clock_demand, tprof_clock_demands);

/* Return the number of clocks that tick on a CPU or sample it. Context: any. */
static inline u64 tprof_clock_nr(int cpu)
{
	const struct tprof_clock_demand *demand = per_cpu_ptr(&tprof_clock_demands, cpu);

	return atomic_read(&demand->nr) + READ_ONCE(demand->nr_open);
}

/* Return the clock's period, but at most 1 s: in sums of Hz, slower clocks count as 1 Hz. */
static inline u64 tprof_clock_countable_period(const struct tprof_clock *clock)
{
	return min_t(u64, clock->event->period, NSEC_PER_SEC);
}

void tprof_clock_demand_add(const struct tprof_clock *clock, int nr);
u64 tprof_clock_rest_ns(const struct tprof_clock *clock, u64 spent_ns);
void tprof_clock_rest_for(struct tprof_clock *clock, u64 next, u64 spent);

/**
 * tprof_clock_note_late - set @overdue to the ns by which a tick is later than @latency, or to 0
 * @clock:	clock of the tick
 * @late:	ns by which the tick is late
 * @is_missed:	@late is a period or more
 *
 * If @skipped is not 0, this tick is the first one after a rest. The cost of earlier ticks does
 * not delay such a tick, so its lateness becomes @latency. A section with interrupts off can
 * delay a single tick by a period, so @overdue is set only if the tick before was missed, too.
 *
 * Context: hard interrupt on the host.
 */
static __always_inline void tprof_clock_note_late(struct tprof_clock *clock, u64 late,
						  bool is_missed)
{
	clock->overdue = 0;
	if (unlikely(clock->skipped))
		clock->latency = late;
	else if (unlikely(is_missed) && clock->was_missed && late > clock->latency)
		clock->overdue = late - clock->latency;
	clock->was_missed = is_missed;
}

/*
 * Rest after a tick that cost @spent TSC cycles: skip the ticks that are due too soon after
 * @now.
 */
static __always_inline void tprof_clock_rest_after(struct tprof_clock *clock, ktime_t now,
						   u64 spent)
{
	u64 next = ktime_to_ns(ktime_sub(hrtimer_get_expires(&clock->timer), now));
	u64 nr = tprof_clock_nr(clock->host);

	if (clock->cpu != clock->host)
		nr = max(nr, tprof_clock_nr(clock->cpu));
	/*
	 * n is at most nr, and @cycle_ns is rounded up. So this is an upper bound of the rest,
	 * and it usually shows that no rest is needed.
	 */
	if (unlikely(spent * clock->cycle_ns * TPROF_CLOCK_COST_SHARE * nr > next ||
		     clock->overdue))
		tprof_clock_rest_for(clock, next, spent);
}

#endif /* TPROF_CLOCK_REST_H */
