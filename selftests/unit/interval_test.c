// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - confidence intervals of shares
 *
 * Samples are drawn at random with a known share; about 95 percent of the intervals
 * must include that share.
 */
#include <stdio.h>
#include <stdlib.h>

#include "profile/interval.h"
#include "unit.h"

#define TRIALS	2000

static int hits(double share, int samples)
{
	int within = 0;

	for (int trial = 0; trial < TRIALS; trial++) {
		struct interval interval;
		int seen = 0;

		for (int i = 0; i < samples; i++)
			seen += drand48() * 100 < share;
		interval = interval_of(100.0 * seen / samples, samples);
		within += interval.low <= share && share <= interval.high;
	}
	return within;
}

static void test_coverage(double share, int samples)
{
	double percent = 100.0 * hits(share, samples) / TRIALS;
	char name[64];

	snprintf(name, sizeof(name), "%g percent of %d samples: the intervals include it",
		 share, samples);
	unit_ok(percent >= 92 && percent <= 98.5, name);
}

int main(void)
{
	struct interval interval = interval_of(0, 0);

	srand48(1);
	unit_ok(interval.low == 0 && interval.high == 100,
		"no samples: any share is possible");
	interval = interval_of(0, 100);
	unit_ok(interval.low == 0 && interval.high > 3 && interval.high < 4,
		"seen in 0 of 100 samples: the share may be above 0");
	interval = interval_of(100, 100);
	unit_ok(interval.high == 100 && interval.low > 96 && interval.low < 97,
		"seen in 100 of 100 samples: the share may be below 100");
	test_coverage(50, 100);
	test_coverage(5, 200);
	test_coverage(75, 1000);
	test_coverage(1, 1000);
	return unit_exit();
}
