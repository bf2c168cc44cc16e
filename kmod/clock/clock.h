/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the clock that the back ends `nmi` and `timer` share
 *
 * A clock is an hrtimer that samples one CPU. For `timer`, it runs on that CPU.
 * For `nmi`, it runs on another CPU, unless no other CPU is online. A gated clock (gated.h)
 * stands still while the gate of its event is closed. It uses the timer of its CPU.
 */
#ifndef TPROF_CLOCK_H
#define TPROF_CLOCK_H

#include <linux/atomic.h>
#include <linux/hrtimer.h>
#include <linux/list.h>
#include <linux/percpu.h>

#include "pmu/pmu.h"

#define TPROF_CLOCK_MIN_PERIOD	5000ULL
#define TPROF_CLOCK_MAX_PERIOD	(3600ULL * NSEC_PER_SEC)

/* All clocks of a CPU together may take 2 / TPROF_CLOCK_COST_SHARE of its time. */
#define TPROF_CLOCK_COST_SHARE	8

struct tprof_clock;

/* A function that takes the samples of @ticks ticks, or none. Context: hard interrupt. */
typedef void (*tprof_clock_tick_t)(struct tprof_clock *clock, u64 ticks);

/**
 * struct tprof_clock - clock of an event for one CPU
 * @timer:	ticks every @event->period; not used by a gated clock
 * @event:	event that is sampled
 * @take:	function of the back end, which takes the samples of ticks that are due
 * @tick:	called on @host, with the number of ticks that are due: @take, or a function
 *		that takes no sample while the event is stalled; W: sampled CPU
 * @cpu:	CPU that is sampled
 * @host:	CPU that the timer runs on, or -1 while the clock does not run
 * @cycle_ns:	ns that a TSC cycle takes, rounded up; constant while the clock runs
 * @skipped:	number of ticks that a rest has skipped since the last tick; not 0 if a gated
 *		clock has rested; W: host
 * @latency:	ns by which the last tick after a rest was late; W: host
 * @overdue:	ns by which the last tick was later than @latency, if it and the
 *		tick before it were each late by a period or more; else 0;
 *		W: host
 * @was_missed:	the last tick was late by a period or more; W: host
 * @missed:	number of ticks that found no registers to sample or a closed gate; the
 *		next sample stands for them as well; W: sampled CPU
 * @spent:	TSC cycles that the last sample took if @host is another CPU; W: sampled CPU
 * @opening:	the event's gate on @cpu, or NULL; constant while the clock runs
 * @open_period: TSC cycles of a period
 * @sampled:	TSC cycles for which the gate had been open when the clock was started,
 *		plus @open_period for each sample that has become due since; W: host
 * @node:	gated clock: entry in the open clocks of its CPU; W: @cpu
 * @due:	gated clock: CLOCK_MONOTONIC of its next tick, while its gate is open; W: @cpu
 * @hz:		gated clock: its frequency, for @hz_open; constant while the clock runs
 * @rests_until: gated clock: no tick before this CLOCK_MONOTONIC; W: @cpu
 *
 * "W: x" means: written by CPU x only.
 */
struct tprof_clock {
	struct hrtimer		timer;
	struct tprof_pmu_event	*event;
	tprof_clock_tick_t	take;
	tprof_clock_tick_t	tick;
	int			cpu;
	int			host;
	u32			cycle_ns;
	u64			skipped;
	u64			latency;
	u64			overdue;
	bool			was_missed;
	u64			missed;
	u64			spent;
	const struct tprof_pmu_opening *opening;
	u64			open_period;
	u64			sampled;
	struct hlist_node	node;
	u64			due;
	u64			hz;
	u64			rests_until;
};

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

int tprof_clock_check(const struct tprof_pmu_event *event);
void tprof_clock_setup(struct tprof_clock *clock,
		       struct tprof_pmu_event *event, int cpu,
		       tprof_clock_tick_t take);
void tprof_clock_begin(struct tprof_clock *clock);
int tprof_clock_start(struct tprof_clock *clock, int host);
int tprof_clock_move(struct tprof_clock *clock, int host);
void tprof_clock_stop(struct tprof_clock *clock);
u64 tprof_clock_take_due(struct tprof_clock *clock, u64 tsc);
u64 tprof_clock_rest_ns(const struct tprof_clock *clock, u64 spent_ns);
void tprof_clock_stall(struct tprof_clock *clock, bool is_stalled);

void tprof_clock_sample(struct tprof_clock *clock, struct pt_regs *regs,
			u64 ticks);
void tprof_clock_sample_from_host(struct tprof_clock *clock, struct pt_regs *regs, u64 ticks);

int tprof_pmu_nmi_init(void);
void tprof_pmu_nmi_uninit(void);
int tprof_pmu_timer_init(void);
void tprof_pmu_timer_uninit(void);

#endif /* TPROF_CLOCK_H */
