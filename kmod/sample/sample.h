/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - from an overflow to a record
 *
 * Every back end reports its overflows here, or by the functions in pmu/overflow.h.
 * tprof_sample_overflow() filters them and writes complete PERF_RECORD_SAMPLEs into the lane of
 * this CPU; tprof_sample_overflow_weighed() is the sink of events with PERF_SAMPLE_WEIGHT.
 *
 * Context: any, NMI included, if the function does not say otherwise. No locks, no allocation,
 * nothing that sleeps.
 */
#ifndef TPROF_SAMPLE_H
#define TPROF_SAMPLE_H

#include "sample/sampler.h"

void tprof_sample_overflow(struct tprof_pmu_event *event, struct pt_regs *regs,
			   u64 period, u64 merged);
void tprof_sample_overflow_weighed(struct tprof_pmu_event *event, struct pt_regs *regs,
				   u64 period, u64 merged);
void tprof_sample_accept(struct tprof_sampler *sampler, bool is_open);

#endif /* TPROF_SAMPLE_H */
