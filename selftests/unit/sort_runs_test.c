// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - sort records that consist of sorted runs
 */
#include <stdlib.h>

#include "perfdata/sort_runs.h"
#include "unit.h"

#define MAX	20000

static struct waiting records[MAX], scratch[MAX];

/*
 * Sort @nr records. Each record has its index before the sort in @chunk. Return true if the
 * result is in order of time, and records with equal times are in their order before.
 */
static bool sorts(size_t nr)
{
	const struct waiting *sorted;
	u64 sum = 0;
	size_t i;

	for (i = 0; i < nr; i++)
		records[i].chunk = i;
	sorted = sort_runs(records, scratch, nr) ? scratch : records;
	for (i = 0; i < nr; i++) {
		sum += sorted[i].chunk;
		if (i && (sorted[i - 1].time > sorted[i].time ||
			  (sorted[i - 1].time == sorted[i].time &&
			   sorted[i - 1].chunk > sorted[i].chunk)))
			return false;
	}
	return sum == nr * (nr - 1) / 2;
}

/* Fill in @runs runs of random lengths, in which the times grow by less than @step. */
static size_t fill(size_t runs, u64 step)
{
	size_t run, i, len, nr = 0;
	u64 time;

	for (run = 0; run < runs; run++) {
		time = random() % 4;
		len = 1 + random() % (MAX / runs);
		for (i = 0; i < len; i++, nr++) {
			records[nr].time = time;
			time += random() % step;
		}
	}
	return nr;
}

static bool sorts_runs(size_t runs, u64 step)
{
	int i;

	for (i = 0; i < 20; i++) {
		if (!sorts(fill(runs, step)))
			return false;
	}
	return true;
}

static void test_runs(void)
{
	unit_ok(sorts(0) && sorts(1), "few_records_are_sorted");
	unit_ok(sorts_runs(1, 100) && sorts_runs(2, 100) && sorts_runs(16, 100) &&
		sorts_runs(63, 100) && sorts_runs(64, 100), "runs_are_merged");
	unit_ok(sorts_runs(3, 2) && sorts_runs(40, 2), "equal_times_keep_their_order");
	unit_ok(sorts_runs(65, 100) && sorts_runs(1000, 100), "many_runs_are_merged");
}

static void test_reverse(void)
{
	size_t i;

	for (i = 0; i < MAX; i++)
		records[i].time = MAX - i;
	unit_ok(sorts(MAX), "records_in_reverse_are_sorted");
}

/* A crafted file may have any times. */
static void test_far(void)
{
	static const u64 times[] = { 5, 1ULL << 56, 1ULL << 57, ~0ULL, 0, 1ULL << 60, ~0ULL,
				     1ULL << 63, 0, ~0ULL - 1, 7, 7 };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(times); i++)
		records[i].time = times[i];
	unit_ok(sorts(ARRAY_SIZE(times)), "times_that_are_far_apart_are_sorted");
}

int main(void)
{
	test_runs();
	test_reverse();
	test_far();
	return unit_exit();
}
