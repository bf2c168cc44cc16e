// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx report - what the lines of a report hold, in whatever form
 */
#include "report/report_rows.h"

/*
 * A part in percent.
 *
 * @whole: what it is a part of
 *
 * Return the share, 0 of nothing.
 */
double report_share(u64 part, u64 whole)
{
	return whole ? 100.0 * part / whole : 0;
}

/* Where the share of a period is, in 95 of 100 cases. */
struct interval report_interval(const struct profile *profile, u64 period)
{
	return interval_of(report_share(period, profile->period), profile->samples);
}

/* The first share of a row, as a period. */
u64 report_leading_value(const struct report_options *opts, const struct profile_entry *entry)
{
	size_t i;

	for (i = 0; i < opts->nr_columns; i++) {
		if (opts->columns[i]->kind == COLUMN_PERCENT)
			return opts->columns[i]->value(&entry->tally);
	}
	return entry->tally.period;
}

/* Is an entry above --percent-limit? Return true when it is to be printed. */
bool report_is_shown(const struct report_options *opts, const struct profile *profile,
		     const struct profile_entry *entry)
{
	return report_share(report_leading_value(opts, entry), profile->period) >= opts->limit;
}

/* What is in a column. Return a number, or what stands for a text. */
u64 report_value(const struct report_options *opts, const struct profile_entry *entry,
		 const struct column *column)
{
	size_t i = 0;

	if (column->value)
		return column->value(&entry->tally);
	while (opts->gather.keys.columns[i] != column)
		i++;
	return entry->keys[i];
}
