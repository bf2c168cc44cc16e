// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx report - sort the profiles
 */
#include "profile/path_order.h"
#include "report/report_order.h"

/*
 * Return the function that computes the value to sort rows by. It belongs to the first
 * column that has values, or to column overhead if there is none.
 */
static u64 (*order_of(const struct report_options *opts))(const struct profile_entry *entry)
{
	size_t i;

	for (i = 0; i < opts->nr_columns; i++) {
		if (opts->columns[i]->value)
			return opts->columns[i]->value;
	}
	return column_find("overhead")->value;
}

/* Sort the entries and call trees of all profiles. */
int report_sort(const struct report_options *opts, const struct gather *gather)
{
	struct profile *profile;
	size_t at;
	int err;
	u32 i;

	for (i = 0; i < gather->nr_profiles; i++) {
		profile = gather->profiles[i];
		if (!profile)
			continue;
		err = opts->gather.paths ? paths_sort(profile) :
					   profile_sort(profile, order_of(opts));
		if (err)
			return err;
		for (at = 0; at < profile->nr_roots; at++) {
			if (profile->roots[at])
				call_tree_sort(profile->roots[at]);
		}
	}
	return 0;
}
