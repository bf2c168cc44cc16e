// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - how sure a share is that was found by sampling
 */
#include <math.h>

#include "profile/interval.h"

/* Of a normal distribution, 95 percent are not further from the middle. */
#define Z	1.959964

/*
 * Where a share is, in 95 of 100 cases. Wilson's interval, which is right for
 * small shares and few samples, too. It takes samples to be independent of each
 * other. Return the interval; all that is possible when there are no samples.
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
