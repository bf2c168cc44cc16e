// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx report - print the counts of whole events
 */
#include "base/printable.h"
#include "report/report_counts.h"

/* Print a line of the report's head for each event that was counted. */
void report_counts_text(FILE *out, const struct stat_counts *counts)
{
	u32 i;

	for (i = 0; i < counts->nr; i++)
		fprintf(out, "# Count: %llu of event '%s'\n", counts->all[i].value,
			printable(counts->all[i].name));
}

void report_counts_json(struct json *json, const struct stat_counts *counts)
{
	const struct stat_count *count;
	u32 i;

	if (!counts->nr)
		return;
	json_begin(json, "counts", '[');
	for (i = 0; i < counts->nr; i++) {
		count = &counts->all[i];
		json_begin(json, NULL, '{');
		json_string(json, "name", count->name);
		json_u64(json, "count", count->value);
		json_u64(json, "enabled_ns", count->enabled);
		json_u64(json, "running_ns", count->running);
		json_end(json, '}');
	}
	json_end(json, ']');
	json_u64(json, "counted_ns", counts->elapsed);
}
