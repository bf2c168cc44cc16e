/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - mean and deviation of a quantity measured several times
 */
#ifndef TPROF_STATISTICS_H
#define TPROF_STATISTICS_H

#include "base/types.h"

/**
 * struct statistics - what is known of the values so far
 * @nr:		how many
 * @mean:	their mean
 * @squares:	sum of the squares of their distances to it
 */
struct statistics {
	u32	nr;
	double	mean;
	double	squares;
};

void statistics_add(struct statistics *stats, double value);
double statistics_deviation(const struct statistics *stats);

#endif /* TPROF_STATISTICS_H */
