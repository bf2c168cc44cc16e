/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx selftests - make random events, most of them valid
 */
#ifndef TPROF_FUZZ_ATTRS_H
#define TPROF_FUZZ_ATTRS_H

#include <linux/perf_event.h>

#include "fuzz/dice.h"

void attrs_roll(struct dice *dice, struct perf_event_attr *attr);
__u32 attrs_flags(struct dice *dice, const struct perf_event_attr *attr);
const char *attrs_backend(struct dice *dice, const struct perf_event_attr *attr);

#endif /* TPROF_FUZZ_ATTRS_H */
