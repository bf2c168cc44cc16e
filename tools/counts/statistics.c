// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx counts - mean and deviation of repeated measurements
 */
#include <math.h>

#include "counts/statistics.h"

/*
 * Add a value by Welford's recurrence: counts may agree in ten or more digits, so a
 * difference of sums of squares would lose all precision. Before the first value, all
 * members of @stats must be zero.
 */
void statistics_add(struct statistics *stats, double value)
{
	double distance = value - stats->mean;

	stats->nr++;
	stats->mean += distance / stats->nr;
	stats->squares += distance * (value - stats->mean);
}

/*
 * Return the standard deviation of the mean as a percentage of the mean, as perf does.
 * For fewer than two values, or a mean of 0, return 0.
 */
double statistics_deviation(const struct statistics *stats)
{
	double variance;

	if (stats->nr < 2 || stats->mean == 0)
		return 0;
	variance = stats->squares / (stats->nr - 1);
	return 100 * sqrt(variance / stats->nr) / fabs(stats->mean);
}
