/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - from an overflow to a record
 *
 * Every back end reports its overflows here, or by the functions in pmu/overflow.h.
 * tprof_sample_overflow() filters them and writes complete PERF_RECORD_SAMPLEs into the lane of
 * this CPU.
 *
 * Context: any, NMI included, if the function does not say otherwise. No locks, no allocation,
 * nothing that sleeps.
 */
#ifndef TPROF_SAMPLE_H
#define TPROF_SAMPLE_H

#include "sample/sampler.h"

void tprof_sample_overflow(struct tprof_pmu_event *event, struct pt_regs *regs,
			   u64 period, u64 merged);
void tprof_sample_accept(struct tprof_sampler *sampler, bool is_open);

void tprof_sample_stall(const struct tprof_sampler *sampler, struct tprof_lane *lane);
void tprof_sample_end_stalls(struct tprof_sampler *const *samplers, struct tprof_lane *lane,
			     u32 mask, bool goes_on);

u32 tprof_sample_bytes(u64 sample_type);
bool tprof_sample_has_frame_chain(const struct tprof_sampler *sampler);
bool tprof_sample_has_table_chain(const struct tprof_sampler *sampler);
enum tprof_sample_kind tprof_sample_kind(const struct tprof_sampler *sampler);
u32 tprof_sample_max_bytes(const struct tprof_sampler *sampler);
u32 tprof_sample_lost_bytes(const struct tprof_sampler *sampler);
void tprof_sample_write_lost(const struct tprof_sampler *sampler, void *record,
			     int cpu, u64 lost);
u32 tprof_sample_id_bytes(const struct tprof_sampler *sampler);
void tprof_sample_write_id(const struct tprof_sampler *sampler, void *trailer,
			   u64 time, const struct task_struct *task, int cpu);

#endif /* TPROF_SAMPLE_H */
