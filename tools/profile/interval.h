/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - compute confidence intervals of numbers that come from samples
 */
#ifndef TPROF_INTERVAL_H
#define TPROF_INTERVAL_H

#include "base/types.h"

/* 95 % of a normal distribution lies within INTERVAL_Z standard deviations of the mean. */
#define INTERVAL_Z	1.959964

/**
 * struct interval - a confidence interval
 * @low:	lower bound
 * @high:	upper bound
 */
struct interval {
	double	low;
	double	high;
};

/**
 * struct estimate - a number and its confidence interval
 * @value:	the number
 * @interval:	the interval
 */
struct estimate {
	double	value;
	struct interval interval;
};

struct interval interval_of(double share, u64 samples);
struct interval interval_of_share(double share, u64 samples, double z);
struct interval interval_of_count(u64 count, double z);
struct estimate interval_of_change(const struct estimate *old, const struct estimate *now);
double interval_z(double chance);

#endif /* TPROF_INTERVAL_H */
