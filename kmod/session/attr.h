/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the supported part of struct perf_event_attr
 */
#ifndef TPROF_ATTR_H
#define TPROF_ATTR_H

#include <linux/perf_event.h>
#include <linux/types.h>

#include "sample/sampler.h"

bool tprof_attr_is_sampling(const struct perf_event_attr *attr);
int tprof_attr_check(const struct perf_event_attr *attr);
tprof_sample_clock_t tprof_attr_clock(const struct perf_event_attr *attr);
struct tprof_chain_plan
tprof_attr_chain(const struct perf_event_attr *attr);
u32 tprof_attr_wants(const struct perf_event_attr *attr);

#endif /* TPROF_ATTR_H */
