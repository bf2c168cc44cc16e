/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - what the back ends without a counter have in common
 *
 * A clock is an hrtimer that samples one CPU and runs on the same one
 * (`timer`) or on another (`nmi`).
 */
#ifndef TPROF_CLOCK_H
#define TPROF_CLOCK_H

#include <linux/hrtimer.h>

#include "pmu.h"

#define TPROF_CLOCK_MIN_PERIOD	5000ULL
#define TPROF_CLOCK_MAX_PERIOD	(3600ULL * NSEC_PER_SEC)

/**
 * struct tprof_clock - one event's clock for one CPU
 * @timer:	ticks every @event->period
 * @event:	event that is sampled
 * @cpu:	CPU that is sampled
 * @host:	CPU that @timer runs on, or -1 while it does not
 * @missed:	ticks for which there was nothing to sample
 */
struct tprof_clock {
	struct hrtimer		timer;
	struct tprof_pmu_event	*event;
	int			cpu;
	int			host;
	u64			missed;
};

typedef enum hrtimer_restart (*tprof_clock_tick_t)(struct hrtimer *timer);

int tprof_clock_check(const struct tprof_pmu_event *event);
void tprof_clock_setup(struct tprof_clock *clock,
		       struct tprof_pmu_event *event, int cpu,
		       tprof_clock_tick_t tick);
int tprof_clock_start(struct tprof_clock *clock, int host);
void tprof_clock_stop(struct tprof_clock *clock);

u64 tprof_clock_forward(struct tprof_clock *clock);
void tprof_clock_sample(struct tprof_clock *clock, struct pt_regs *regs,
			u64 ticks);

int tprof_pmu_nmi_init(void);
void tprof_pmu_nmi_uninit(void);
int tprof_pmu_timer_init(void);
void tprof_pmu_timer_uninit(void);

#endif /* TPROF_CLOCK_H */
