/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the lengths of an event's records, and the trailer of records other than samples
 */
#ifndef TPROF_SAMPLE_LAYOUT_H
#define TPROF_SAMPLE_LAYOUT_H

#include "sample/sampler.h"

u32 tprof_sample_bytes(u64 sample_type);
bool tprof_sample_has_common_fields(const struct tprof_sampler *sampler);
bool tprof_sample_fits_nmi(const struct tprof_sampler *sampler);
u32 tprof_sample_max_bytes(const struct tprof_sampler *sampler);
u32 tprof_sample_lost_bytes(const struct tprof_sampler *sampler);
void tprof_sample_write_lost(const struct tprof_sampler *sampler, void *record,
			     int cpu, u64 lost);
u32 tprof_sample_id_bytes(const struct tprof_sampler *sampler);
void tprof_sample_write_id(const struct tprof_sampler *sampler, void *trailer,
			   u64 time, const struct task_struct *task, int cpu);

#endif /* TPROF_SAMPLE_LAYOUT_H */
