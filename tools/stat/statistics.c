// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - mean and deviation of a quantity measured several times
 */
#include <math.h>

#include "stat/statistics.h"

/*
 * One more value. By Welford's recurrence: counts have ten digits and more in
 * common, and the difference of two sums of squares would be noise.
 *
 * @stats: what is known so far; all zeroes before the first
 */
void statistics_add(struct statistics *stats, double value)
{
	double distance = value - stats->mean;

	stats->nr++;
	stats->mean += distance / stats->nr;
	stats->squares += distance * (value - stats->mean);
}

/*
 * How far the mean is to be trusted. Return the standard deviation of the mean,
 * as perf prints it, in percent of the mean; 0 for less than two values.
 */
double statistics_deviation(const struct statistics *stats)
{
	double variance;

	if (stats->nr < 2 || stats->mean == 0)
		return 0;
	variance = stats->squares / (stats->nr - 1);
	return 100 * sqrt(variance / stats->nr) / fabs(stats->mean);
}
