/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx counts - mean and deviation of repeated measurements
 */
#ifndef TPROF_STATISTICS_H
#define TPROF_STATISTICS_H

#include "base/types.h"

/**
 * struct statistics - mean and variance of the values so far
 * @nr:		number of values
 * @mean:	their mean
 * @squares:	sum of (value - mean)^2
 */
struct statistics {
	u32	nr;
	double	mean;
	double	squares;
};

void statistics_add(struct statistics *stats, double value);
double statistics_deviation(const struct statistics *stats);

#endif /* TPROF_STATISTICS_H */
