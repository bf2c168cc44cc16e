// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - compute confidence intervals of numbers that come from samples
 *
 * All assume that samples are independent.
 */
#include <math.h>

#include "profile/interval.h"

/*
 * Compute the confidence interval of the percentage @share by Wilson's score method,
 * which is valid for small percentages and few samples too. If there are no samples, the
 * interval is 0 to 100.
 *
 * @z: INTERVAL_Z for 95 %, or from interval_z()
 */
struct interval interval_of_share(double share, u64 samples, double z)
{
	double n = samples, p = share / 100, middle, reach;

	if (!samples)
		return (struct interval){ 0, 100 };
	middle = (p + z * z / (2 * n)) / (1 + z * z / n);
	reach = z * sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n);
	return (struct interval){ 100 * fmax(middle - reach, 0), 100 * fmin(middle + reach, 1) };
}

/* Compute the 95 % confidence interval of the percentage @share. */
struct interval interval_of(double share, u64 samples)
{
	return interval_of_share(share, samples, INTERVAL_Z);
}

/*
 * Compute the confidence interval of the mean of a Poisson distribution by the score method,
 * after @count samples.
 */
struct interval interval_of_count(u64 count, double z)
{
	double middle = count + z * z / 2, reach = z * sqrt(count + z * z / 4);

	return (struct interval){ fmax(middle - reach, 0), middle + reach };
}

/*
 * Compute the change from @old to @now and its confidence interval by Newcombe's method,
 * which takes the distances to the bounds of both.
 */
struct estimate interval_of_change(const struct estimate *old, const struct estimate *now)
{
	double change = now->value - old->value;
	double down = hypot(now->value - now->interval.low, old->interval.high - old->value);
	double up = hypot(now->interval.high - now->value, old->value - old->interval.low);

	return (struct estimate){ change, { change - down, change + up } };
}

/*
 * Return how many standard deviations around the mean of a normal distribution leave out
 * @chance of it, which is between 0 and 1.
 */
double interval_z(double chance)
{
	double low = 0, high = 40, z;
	int i;

	for (i = 0; i < 60; i++) {
		z = (low + high) / 2;
		if (erfc(z / M_SQRT2) > chance)
			low = z;
		else
			high = z;
	}
	return z;
}
