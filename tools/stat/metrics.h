/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - ratios of counts that people expect beside them
 */
#ifndef TPROF_METRICS_H
#define TPROF_METRICS_H

#include "stat/counting.h"

/**
 * struct metric - a ratio
 * @value:	the ratio
 * @digits:	behind the point, that are worth printing
 * @unit:	what it is of what; NULL when there is none to tell
 */
struct metric {
	double	value;
	int	digits;
	const char *unit;
};

void metric_of(const struct counting *counting, const struct counted_event *event, u32 lane,
	       struct metric *metric);

#endif /* TPROF_METRICS_H */
