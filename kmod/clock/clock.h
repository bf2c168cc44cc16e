/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the clock that the back ends `nmi` and `timer` share
 *
 * A clock is an hrtimer that samples one CPU. For `timer`, it runs on that CPU.
 * For `nmi`, it runs on another CPU, unless no other CPU is online.
 */
#ifndef TPROF_CLOCK_H
#define TPROF_CLOCK_H

#include <linux/hrtimer.h>

#include "pmu/pmu.h"

#define TPROF_CLOCK_MIN_PERIOD	5000ULL
#define TPROF_CLOCK_MAX_PERIOD	(3600ULL * NSEC_PER_SEC)

struct tprof_clock;

/* A function that takes the samples of @ticks ticks, or none. Context: hard interrupt. */
typedef void (*tprof_clock_tick_t)(struct tprof_clock *clock, u64 ticks);

/**
 * struct tprof_clock - clock of an event for one CPU
 * @timer:	ticks every @event->period
 * @event:	event that is sampled
 * @take:	function of the back end, which takes the samples of ticks that are due
 * @tick:	called on @host, with the number of ticks that are due: @take, or a function
 *		that takes no sample while the event is stalled; W: sampled CPU
 * @cpu:	CPU that is sampled
 * @host:	CPU that @timer runs on, or -1 while it does not run
 * @cycle_ns:	ns that a TSC cycle takes, rounded up; constant while the clock runs
 * @skipped:	number of ticks that a rest has skipped since the last tick; W:
 *		host
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
};

int tprof_clock_check(const struct tprof_pmu_event *event);
void tprof_clock_setup(struct tprof_clock *clock,
		       struct tprof_pmu_event *event, int cpu,
		       tprof_clock_tick_t take);
int tprof_clock_start(struct tprof_clock *clock, int host);
int tprof_clock_move(struct tprof_clock *clock, int host);
void tprof_clock_stop(struct tprof_clock *clock);
void tprof_clock_gate(const struct tprof_pmu_gate *gate, bool is_open);
void tprof_clock_stall(struct tprof_clock *clock, bool is_stalled);

void tprof_clock_sample(struct tprof_clock *clock, struct pt_regs *regs,
			u64 ticks);
void tprof_clock_sample_from_host(struct tprof_clock *clock, struct pt_regs *regs, u64 ticks);

int tprof_pmu_nmi_init(void);
void tprof_pmu_nmi_uninit(void);
int tprof_pmu_timer_init(void);
void tprof_pmu_timer_uninit(void);

#endif /* TPROF_CLOCK_H */
