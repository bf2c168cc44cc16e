// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx report - print CSV
 */
#include "base/csv.h"
#include "base/printable.h"
#include "cli/say.h"
#include "report/report_format.h"
#include "report/report_rows.h"

/*
 * Return true for column "event". It is left out, because each line begins with the
 * event.
 */
static bool is_event(const struct column *column)
{
	return column == column_find("event");
}

static void csv_entry(const struct report_options *opts, const struct profile *profile,
		      const struct profile_entry *entry)
{
	const struct column *column;
	struct interval interval;
	char buf[COLUMN_TEXT_LEN];
	size_t i;
	u64 value;

	csv_put(stdout, printable(profile->event), ",");
	for (i = 0; i < opts->nr_columns; i++) {
		column = opts->columns[i];
		if (is_event(column))
			continue;
		value = profile_value(profile, entry, column);
		putchar(',');
		switch (column->kind) {
		case COLUMN_TEXT:
			csv_put(stdout, printable(column->text(value, buf, sizeof(buf))), ",");
			break;
		case COLUMN_NUMBER:
		case COLUMN_TIME:
			printf("%llu", value);
			break;
		case COLUMN_PERCENT:
			printf("%.4f", profile_share(value, profile_whole(profile, column)));
			break;
		case COLUMN_INTERVAL:
			interval = profile_interval(profile, value);
			printf("%.4f-%.4f", interval.low, interval.high);
			break;
		}
	}
	putchar('\n');
}

/* Print one table for all events, quoted as in RFC 4180. */
static int print_csv(const struct report_options *opts, const struct gather *gather)
{
	const struct profile *profile;
	struct profile_entry entry;
	size_t at;
	u32 i;

	fputs("event", stdout);
	for (at = 0; at < opts->nr_columns; at++) {
		if (!is_event(opts->columns[at]))
			printf(",%s", opts->columns[at]->word);
	}
	putchar('\n');
	for (i = 0; i < gather->nr_profiles; i++) {
		profile = gather->profiles[i];
		for (at = 0; profile && at < profile->entries.nr; at++) {
			entry = profile_sorted(profile, at);
			if (report_is_shown(opts, profile, &entry))
				csv_entry(opts, profile, &entry);
		}
	}
	return 0;
}

static int check(const struct report_options *opts)
{
	if (opts->call_graph)
		return say_usage("report: --csv cannot hold call trees; use --json");
	if (opts->gather.threads)
		return say_usage("report: --csv cannot hold a second table for -T; use --json");
	return STATUS_OK;
}

const struct report_format report_csv_format = {
	.check = check,
	.print = print_csv,
};
