/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx diff - how much a line changed, and whether this is noise
 *
 * All percentages refer to a whole: with NORMALIZE_WEIGHT to that of each recording, else to
 * that of the old one.
 *
 * The more lines are compared, the larger a change must be to count as more than noise. So
 * recordings without a difference have a line beyond noise in one of 20 cases.
 */
#ifndef TPROF_DIFF_CHANGE_H
#define TPROF_DIFF_CHANGE_H

#include "diff/diff_options.h"
#include "profile/interval.h"

/*
 * Lines with fewer samples in the two recordings are never beyond noise. They do not count
 * as comparisons, because a profile has very many of them.
 */
#define CHANGE_FEW	10

enum verdict {
	CHANGE_NOISE,
	CHANGE_GREW,
	CHANGE_SHRANK,
};

/**
 * struct scale - makes percentages of the periods of a recording
 * @normalize:	how
 * @total:	all samples of the event
 * @seconds:	duration of the recording; 1 without NORMALIZE_TIME
 * @unit:	percentage of an event; not used with NORMALIZE_WEIGHT
 * @mean:	mean period of a sample
 */
struct scale {
	enum normalize normalize;
	struct tally total;
	double	seconds;
	double	unit;
	double	mean;
};

/**
 * struct change - a line of two recordings
 * @old:	percentage in the old recording
 * @now:	percentage in the new recording
 * @by:		difference of the two, with its 95 % confidence interval
 * @verdict:	what it is, after many lines were compared
 */
struct change {
	double	old;
	double	now;
	struct estimate by;
	enum verdict verdict;
};

struct scale scale_of(enum normalize normalize, const struct tally *total, double seconds,
		      const struct scale *old);
double change_z(u32 nr_lines);
struct change change_of(const struct scale *old, const struct tally *before,
			const struct scale *now, const struct tally *after, double z);
const char *verdict_word(enum verdict verdict);

#endif /* TPROF_DIFF_CHANGE_H */
