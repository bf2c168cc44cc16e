// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx report - choose rows, for all output formats
 */
#include "report/report_rows.h"

/*
 * Return the value of the first percentage column of what the profile adds up, or the entry's own
 * sum if there is none.
 */
u64 report_leading_value(const struct report_options *opts, const struct profile_entry *entry)
{
	size_t i;

	for (i = 0; i < opts->nr_columns; i++) {
		if (column_leads(opts->columns[i], entry))
			return opts->columns[i]->value(entry);
	}
	return entry->self->period;
}

/* Return true if the first percentage of an entry is at least --percent-limit. */
bool report_is_shown(const struct report_options *opts, const struct profile *profile,
		     const struct profile_entry *entry)
{
	return opts->limit <= 0 ||
	       profile_share(report_leading_value(opts, entry), profile->period) >= opts->limit;
}
