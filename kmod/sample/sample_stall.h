/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - an event that waits for space in a ring
 */
#ifndef TPROF_SAMPLE_STALL_H
#define TPROF_SAMPLE_STALL_H

#include "sample/sampler.h"

void tprof_sample_stall(const struct tprof_sampler *sampler, struct tprof_lane *lane);
void tprof_sample_end_stalls(struct tprof_sampler *const *samplers, struct tprof_lane *lane,
			     u32 mask, bool goes_on);

#endif /* TPROF_SAMPLE_STALL_H */
