/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx counts - compute the metrics printed next to counts
 */
#ifndef TPROF_METRICS_H
#define TPROF_METRICS_H

#include "counts/counting.h"

/**
 * struct metric - the metric printed next to a count
 * @value:	the value
 * @digits:	number of decimals to print
 * @unit:	unit, such as "insn per cycle"; NULL if there is no metric
 */
struct metric {
	double	value;
	int	digits;
	const char *unit;
};

void metric_of(const struct counting *counting, const struct counted_event *event, u32 lane,
	       struct metric *metric);

#endif /* TPROF_METRICS_H */
