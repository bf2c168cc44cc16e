/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - a clock: the struct
 */
#ifndef TPROF_CLOCK_TYPES_H
#define TPROF_CLOCK_TYPES_H

#include <linux/hrtimer.h>
#include <linux/list.h>
#include <asm/tsc.h>

#include "pmu/pmu.h"

/* TSC frequency to assume if tsc_khz is 0: low, so that rests get longer. */
#define TPROF_CLOCK_SLOW_TSC_KHZ	1000000

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

/* Context: any. */
static inline unsigned int tprof_clock_tsc_khz(void)
{
	return tsc_khz ?: TPROF_CLOCK_SLOW_TSC_KHZ;
}

#endif /* TPROF_CLOCK_TYPES_H */
