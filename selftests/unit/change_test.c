// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - changes between recordings, their intervals, and noise
 *
 * The intervals are those that R. G. Newcombe published for method 10 (Statistics in
 * Medicine 17, 1998, table II), and values of the normal and of the Poisson distribution.
 */
#include <math.h>
#include <stdlib.h>

#include "diff/change.h"
#include "unit.h"

#define NR_LINES	60
#define SAMPLES		2000
#define TRIALS		200

static bool is_near(double value, double wanted)
{
	return fabs(value - wanted) < 0.006;
}

static struct change compare(enum normalize normalize, u64 before, u64 all_before, u64 after,
			     u64 all_after, double seconds)
{
	struct tally old_all = { 10 * all_before, all_before }, all = { 10 * all_after, all_after };
	struct tally old_line = { 10 * before, before }, line = { 10 * after, after };
	struct scale old = scale_of(normalize, &old_all, 2, NULL);
	struct scale now = scale_of(normalize, &all, seconds, &old);

	return change_of(&old, &old_line, &now, &line, change_z(2));
}

static bool is_change(const struct change *change, double by, double low, double high)
{
	return is_near(change->by.value, by) && is_near(change->by.interval.low, low) &&
	       is_near(change->by.interval.high, high);
}

static void test_weight(void)
{
	struct change change = compare(NORMALIZE_WEIGHT, 48, 80, 56, 70, 1);

	unit_ok(is_near(change.old, 60) && is_near(change.now, 80) &&
		is_change(&change, 20, 5.24, 33.39), "shares_have_the_published_interval");
	change = compare(NORMALIZE_WEIGHT, 3, 10, 9, 10, 1);
	unit_ok(is_change(&change, 60, 17.05, 80.90), "few_samples_have_the_published_interval");
	change = compare(NORMALIZE_WEIGHT, 300, 1000, 300, 1000, 1);
	unit_ok(change.by.value == 0 && change.verdict == CHANGE_NOISE, "equal_shares_are_noise");
	change = compare(NORMALIZE_WEIGHT, 300, 1000, 500, 1000, 1);
	unit_ok(change.verdict == CHANGE_GREW, "a_larger_share_grew");
	change = compare(NORMALIZE_WEIGHT, 500, 1000, 300, 1000, 1);
	unit_ok(change.verdict == CHANGE_SHRANK, "a_smaller_share_shrank");
	change = compare(NORMALIZE_WEIGHT, 0, 9, 9, 9, 1);
	unit_ok(change.by.interval.low > 0 && change.verdict == CHANGE_NOISE,
		"a_few_samples_are_noise");
}

/*
 * 100 samples have the interval 82.23 to 121.61, 200 samples 174.14 to 229.71. All samples of
 * the old recording are 100 percent.
 */
static void test_counts(void)
{
	struct change change = compare(NORMALIZE_NONE, 100, 1000, 200, 2000, 1);

	unit_ok(is_near(change.old, 10) && is_near(change.now, 20) &&
		is_change(&change, 10, 10 - hypot(2.59, 2.16), 10 + hypot(2.97, 1.78)),
		"counts_have_the_interval_of_poisson");
	unit_ok(change.verdict == CHANGE_GREW, "a_larger_count_grew");
	change = compare(NORMALIZE_NONE, 0, 1000, 100, 1000, 1);
	unit_ok(is_near(change.by.interval.low, 10 - hypot(0.38, 1.78)),
		"no_samples_have_an_interval");
	change = compare(NORMALIZE_TIME, 100, 1000, 200, 2000, 4);
	unit_ok(is_near(change.now, 10) && change.verdict == CHANGE_NOISE,
		"the_same_rate_over_twice_the_time_is_noise");
	change = compare(NORMALIZE_TIME, 100, 1000, 100, 1000, 1);
	unit_ok(is_near(change.now, 20) && change.verdict == CHANGE_GREW,
		"the_same_count_in_half_the_time_grew");
}

/* Draw samples of lines. Line 0 has @share percent of them, the others have equal shares. */
static void draw(struct tally *lines, u32 samples, double share)
{
	u32 i, line;

	for (i = 0; i < NR_LINES; i++)
		lines[i] = (struct tally){ 0 };
	for (i = 0; i < samples; i++) {
		line = drand48() * 100 < share ? 0 : 1 + drand48() * (NR_LINES - 1);
		lines[line].samples++;
		lines[line].period++;
	}
}

/* Return true if a line is beyond noise. Set @has_grown to whether line 0 grew. */
static bool is_beyond(u32 samples, double share, double new_share, bool *has_grown)
{
	struct tally before[NR_LINES], after[NR_LINES], all = { samples, samples };
	struct scale scale = scale_of(NORMALIZE_WEIGHT, &all, 1, NULL);
	double z = change_z(NR_LINES);
	struct change change;
	bool beyond = false;
	u32 i;

	draw(before, samples, share);
	draw(after, samples, new_share);
	for (i = 0; i < NR_LINES; i++) {
		change = change_of(&scale, &before[i], &scale, &after[i], z);
		beyond |= change.verdict != CHANGE_NOISE;
		if (!i)
			*has_grown = change.verdict == CHANGE_GREW;
	}
	return beyond;
}

/* At most one pair of 20 has a line beyond noise: of 200 pairs 10, and 9 more by chance. */
static void test_noise(void)
{
	u32 i, nr = 0, found = 0;
	bool has_grown;

	srand48(1);
	for (i = 0; i < TRIALS; i++)
		nr += is_beyond(SAMPLES, 30, 30, &has_grown);
	unit_ok(nr <= TRIALS / 20 + 9, "equal_programs_show_nothing_in_19_of_20_pairs");
	/* A function with 30 percent of the time that is 5 percent slower. */
	for (i = 0; i < 20; i++) {
		is_beyond(50 * SAMPLES, 30, 100 * 31.5 / 101.5, &has_grown);
		found += has_grown;
	}
	unit_ok(found >= 19, "a_function_that_is_5_percent_slower_is_found");
}

static void test_normal(void)
{
	unit_ok(fabs(interval_z(0.05) - INTERVAL_Z) < 1e-5 &&
		fabs(interval_z(0.01) - 2.575829) < 1e-5 &&
		fabs(interval_z(1e-6) - 4.891638) < 1e-5,
		"deviations_are_those_of_the_normal_distribution");
	unit_ok(change_z(1) < change_z(2) && change_z(0) == change_z(1),
		"more_lines_need_a_larger_change");
}

int main(void)
{
	test_weight();
	test_counts();
	test_noise();
	test_normal();
	return unit_exit();
}
