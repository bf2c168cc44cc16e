// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - compute the confidence interval of a percentage of samples
 */
#include <math.h>

#include "profile/interval.h"

/* 95 % of a normal distribution lies within Z standard deviations of the mean. */
#define Z	1.959964

/*
 * Compute the 95 % confidence interval of the percentage @share by Wilson's score method,
 * which is valid for small percentages and few samples too. The method assumes that
 * samples are independent. If there are no samples, the interval is 0 to 100.
 */
struct interval interval_of(double share, u64 samples)
{
	double n = samples, p = share / 100, middle, reach;

	if (!samples)
		return (struct interval){ 0, 100 };
	middle = (p + Z * Z / (2 * n)) / (1 + Z * Z / n);
	reach = Z * sqrt(p * (1 - p) / n + Z * Z / (4 * n * n)) / (1 + Z * Z / n);
	return (struct interval){ 100 * fmax(middle - reach, 0), 100 * fmin(middle + reach, 1) };
}
