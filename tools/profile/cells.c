// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the cells of a profile's table: values of entries, and their texts
 */
#include <stdio.h>

#include "profile/cells.h"

/* Return @part as a percentage of @whole, or 0 if @whole is 0. */
double profile_share(u64 part, u64 whole)
{
	return whole ? 100.0 * part / whole : 0;
}

/* Return what the percentages in a column refer to. */
u64 profile_whole(const struct profile *profile, const struct column *column)
{
	return profile->entries.spent && !column->is_latency ? profile->spent : profile->period;
}

/* Return the 95 % confidence interval of a period's percentage. */
struct interval profile_interval(const struct profile *profile, u64 period)
{
	u64 whole = profile->entries.spent ? profile->spent : profile->period;

	return interval_of(profile_share(period, whole), profile->samples);
}

/* Return the value or key of an entry in a column. */
u64 profile_value(const struct profile *profile, const struct profile_entry *entry,
		  const struct column *column)
{
	size_t i = 0;

	if (column->value)
		return column->value(entry);
	while (profile->keys->columns[i] != column)
		i++;
	return entry->keys[i];
}

/*
 * Return the text of a value or key in a column, without column.mark. The text is not
 * printable().
 *
 * @buf: at least COLUMN_TEXT_LEN bytes, used if the text must be formatted
 */
const char *profile_cell(const struct profile *profile, const struct column *column, u64 value,
			 char *buf, size_t len)
{
	struct interval interval;

	switch (column->kind) {
	case COLUMN_TEXT:
		return column->text(value, buf, len);
	case COLUMN_PERCENT:
		snprintf(buf, len, "%.2f%%", profile_share(value, profile_whole(profile, column)));
		break;
	case COLUMN_INTERVAL:
		interval = profile_interval(profile, value);
		snprintf(buf, len, "%.2f-%.2f", interval.low, interval.high);
		break;
	case COLUMN_TIME:
		snprintf(buf, len, "%.3f", (double)value / NSEC_PER_MSEC);
		break;
	default:
		snprintf(buf, len, "%llu", value);
	}
	return buf;
}
