// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx diff - how much a line changed, and whether this is noise
 */
#include "diff/change.h"

/* How often at most a line is beyond noise though nothing has changed. */
#define CHANCE	0.05

/*
 * Return the scale of a recording.
 *
 * @total: all its samples; the old recording must have some
 * @seconds: its duration; must not be 0 with NORMALIZE_TIME
 * @old: scale of the old recording, or NULL to make that scale
 */
struct scale scale_of(enum normalize normalize, const struct tally *total, double seconds,
		      const struct scale *old)
{
	struct scale scale = { .normalize = normalize, .total = *total,
			       .seconds = normalize == NORMALIZE_TIME ? seconds : 1 };
	double whole;

	if (!old)
		old = &scale;
	whole = old->total.period / old->seconds * scale.seconds;
	scale.unit = 100 / whole;
	scale.mean = (double)old->total.period / old->total.samples;
	if (total->samples)
		scale.mean = (double)total->period / total->samples;
	return scale;
}

/*
 * Return the standard deviations beyond which a change is not noise. If nothing has changed
 * but @nr_lines lines are compared, one of them is beyond that with a probability of CHANCE
 * at most.
 */
double change_z(u32 nr_lines)
{
	return interval_z(CHANCE / (nr_lines ? nr_lines : 1));
}

static double percent_of(const struct scale *scale, const struct tally *tally)
{
	if (scale->normalize != NORMALIZE_WEIGHT)
		return tally->period * scale->unit;
	return scale->total.period ? 100.0 * tally->period / scale->total.period : 0;
}

/*
 * Return the percentage of a line with its confidence interval. A share of samples has a
 * binomial distribution, a number of samples a Poisson distribution.
 */
static struct estimate estimate_of(const struct scale *scale, const struct tally *tally, double z)
{
	struct estimate estimate = { .value = percent_of(scale, tally) };
	double unit = scale->mean * scale->unit;

	if (scale->normalize == NORMALIZE_WEIGHT) {
		estimate.interval = interval_of_share(estimate.value, scale->total.samples, z);
		return estimate;
	}
	if (tally->samples)
		unit = estimate.value / tally->samples;
	estimate.interval = interval_of_count(tally->samples, z);
	estimate.interval.low *= unit;
	estimate.interval.high *= unit;
	return estimate;
}

static struct estimate change_at(const struct scale *old, const struct tally *before,
				 const struct scale *now, const struct tally *after, double z)
{
	struct estimate was = estimate_of(old, before, z), is = estimate_of(now, after, z);

	return interval_of_change(&was, &is);
}

/*
 * Compare a line.
 *
 * @old: scale of the old recording
 * @before: samples of the line in the old recording
 * @now: scale of the new recording
 * @after: samples of the line in the new recording
 * @z: from change_z()
 */
struct change change_of(const struct scale *old, const struct tally *before,
			const struct scale *now, const struct tally *after, double z)
{
	struct estimate sure = change_at(old, before, now, after, z);
	struct change change = { .old = percent_of(old, before), .now = percent_of(now, after),
				 .by = change_at(old, before, now, after, INTERVAL_Z) };

	if (before->samples + after->samples < CHANGE_FEW)
		return change;
	if (sure.interval.low > 0)
		change.verdict = CHANGE_GREW;
	else if (sure.interval.high < 0)
		change.verdict = CHANGE_SHRANK;
	return change;
}

const char *verdict_word(enum verdict verdict)
{
	static const char *const words[] = {
		[CHANGE_NOISE] = "noise",
		[CHANGE_GREW] = "grew",
		[CHANGE_SHRANK] = "shrank",
	};

	return words[verdict];
}
