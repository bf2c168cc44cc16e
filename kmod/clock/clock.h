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

#include "clock/clock_types.h"

#define TPROF_CLOCK_MIN_PERIOD	5000ULL
#define TPROF_CLOCK_MAX_PERIOD	(3600ULL * NSEC_PER_SEC)

int tprof_clock_check(const struct tprof_pmu_event *event);
void tprof_clock_setup(struct tprof_clock *clock,
		       struct tprof_pmu_event *event, int cpu,
		       tprof_clock_tick_t take);
void tprof_clock_begin(struct tprof_clock *clock);
int tprof_clock_start(struct tprof_clock *clock, int host);
int tprof_clock_move(struct tprof_clock *clock, int host);
void tprof_clock_stop(struct tprof_clock *clock);
u64 tprof_clock_take_due(struct tprof_clock *clock, u64 tsc);
void tprof_clock_stall(struct tprof_clock *clock, bool is_stalled);

void tprof_clock_sample(struct tprof_clock *clock, struct pt_regs *regs,
			u64 ticks);
void tprof_clock_sample_from_host(struct tprof_clock *clock, struct pt_regs *regs, u64 ticks);

int tprof_pmu_nmi_init(void);
void tprof_pmu_nmi_uninit(void);
int tprof_pmu_timer_init(void);
void tprof_pmu_timer_uninit(void);

#endif /* TPROF_CLOCK_H */
