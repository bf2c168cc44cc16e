// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx report - choose rows and compute their values, for all output formats
 */
#include "report/report_rows.h"

/* Return @part as a percentage of @whole, or 0 if @whole is 0. */
double report_share(u64 part, u64 whole)
{
	return whole ? 100.0 * part / whole : 0;
}

/* Return the 95 % confidence interval of a period's percentage. */
struct interval report_interval(const struct profile *profile, u64 period)
{
	return interval_of(report_share(period, profile->period), profile->samples);
}

/* Return the value of the first percentage column, or the period if there is none. */
u64 report_leading_value(const struct report_options *opts, const struct profile_entry *entry)
{
	size_t i;

	for (i = 0; i < opts->nr_columns; i++) {
		if (opts->columns[i]->kind == COLUMN_PERCENT)
			return opts->columns[i]->value(entry);
	}
	return entry->self->period;
}

/* Return true if the first percentage of an entry is at least --percent-limit. */
bool report_is_shown(const struct report_options *opts, const struct profile *profile,
		     const struct profile_entry *entry)
{
	return opts->limit <= 0 ||
	       report_share(report_leading_value(opts, entry), profile->period) >= opts->limit;
}

/* Return the value or key of an entry in a column. */
u64 report_value(const struct report_options *opts, const struct profile_entry *entry,
		 const struct column *column)
{
	size_t i = 0;

	if (column->value)
		return column->value(entry);
	while (opts->gather.keys.columns[i] != column)
		i++;
	return entry->keys[i];
}
