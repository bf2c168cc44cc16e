// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx report - print tables in the layout of perf report --stdio
 */
#include <string.h>

#include "base/printable.h"
#include "report/report_format.h"
#include "report/report_rows.h"
#include "report/report_sum.h"
#include "report/report_tree.h"

#define PERCENT_WIDTH	8
#define WIDTH_MAX	256
/* Default limit of branches in percent, the same as perf's. */
#define LEAST_BRANCH	0.5

/**
 * struct table_text - a table being printed
 * @opts:	the command line
 * @profile:	profile in the table
 * @width:	width of each column in characters
 */
struct table_text {
	const struct report_options *opts;
	const struct profile *profile;
	size_t	width[REPORT_MAX_FIELDS];
};

static const char *mark_of(const struct column *column, u64 value)
{
	return column->mark ? column->mark(value) : "";
}

static const char *cell_text(const struct table_text *table, const struct column *column,
			     u64 value, char *buf, size_t len)
{
	struct interval interval;

	if (column->kind == COLUMN_TEXT)
		return printable(column->text(value, buf, len));
	switch (column->kind) {
	case COLUMN_PERCENT:
		snprintf(buf, len, "%.2f%%", report_share(value, table->profile->period));
		break;
	case COLUMN_INTERVAL:
		interval = report_interval(table->profile, value);
		snprintf(buf, len, "%.2f-%.2f", interval.low, interval.high);
		break;
	default:
		snprintf(buf, len, "%llu", value);
	}
	return buf;
}

static void widen(struct table_text *table, const struct profile_entry *entry)
{
	const struct column *column;
	char buf[COLUMN_TEXT_LEN];
	size_t i, len;
	u64 value;

	for (i = 0; i < table->opts->nr_columns; i++) {
		column = table->opts->columns[i];
		value = report_value(table->opts, entry, column);
		len = strlen(mark_of(column, value)) +
		      strlen(cell_text(table, column, value, buf, sizeof(buf)));
		/* A very long cell does not widen its column. */
		if (len > table->width[i] && len <= WIDTH_MAX)
			table->width[i] = len;
	}
}

static void print_title(const struct table_text *table)
{
	static const char dots[] = "................................................";
	const struct report_options *opts = table->opts;
	size_t i, len;

	fputs("#", stdout);
	for (i = 0; i < opts->nr_columns; i++) {
		if (opts->columns[i]->kind == COLUMN_TEXT && i + 1 == opts->nr_columns)
			printf("%*s%s", i ? 2 : 1, "", opts->columns[i]->title);
		else
			printf("%*s%*s", i ? 2 : 1, "",
			       opts->columns[i]->kind == COLUMN_TEXT ? -(int)table->width[i] :
								       (int)table->width[i],
			       opts->columns[i]->title);
	}
	fputs("\n#", stdout);
	for (i = 0; i < opts->nr_columns; i++) {
		printf("%*s", i ? 2 : 1, "");
		for (len = table->width[i]; len >= sizeof(dots); len -= sizeof(dots) - 1)
			fputs(dots, stdout);
		printf("%.*s", (int)len, dots);
	}
	puts("\n#");
}

static void print_row(const struct table_text *table, const struct profile_entry *entry)
{
	const struct report_options *opts = table->opts;
	const struct column *column;
	const char *mark, *text;
	char buf[COLUMN_TEXT_LEN];
	bool is_last;
	size_t i;
	u64 value;

	for (i = 0; i < opts->nr_columns; i++) {
		column = opts->columns[i];
		is_last = i + 1 == opts->nr_columns;
		value = report_value(opts, entry, column);
		mark = mark_of(column, value);
		text = cell_text(table, column, value, buf, sizeof(buf));
		fputs("  ", stdout);
		if (column->kind != COLUMN_TEXT)
			printf("%*s", (int)table->width[i], text);
		else
			printf("%s%-*s", mark,
			       is_last ? 0 : (int)table->width[i] - (int)strlen(mark), text);
	}
	putchar('\n');
}

static size_t title_width(const struct column *column)
{
	size_t len = strlen(column->title);

	return column->kind == COLUMN_PERCENT && len < PERCENT_WIDTH ? PERCENT_WIDTH : len;
}

static void print_profile(const struct report_options *opts, const struct profile *profile)
{
	struct table_text table = { .opts = opts, .profile = profile };
	double least = opts->limit >= 0 ? opts->limit : LEAST_BRANCH;
	size_t i;

	printf("#\n# Samples: %llu of event '%s'\n# Event count (approx.): %llu\n#\n",
	       profile->samples, printable(profile->event), profile->period);
	for (i = 0; i < opts->nr_columns; i++)
		table.width[i] = title_width(opts->columns[i]);
	for (i = 0; i < profile->table.nr; i++) {
		if (report_is_shown(opts, profile, profile->sorted[i]))
			widen(&table, profile->sorted[i]);
	}
	/* "#" takes one of the two blanks that a row begins with. */
	print_title(&table);
	for (i = 0; i < profile->table.nr; i++) {
		if (!report_is_shown(opts, profile, profile->sorted[i]))
			continue;
		print_row(&table, profile->sorted[i]);
		if (profile->sorted[i]->tree)
			report_tree(stdout, profile->sorted[i]->tree,
				    report_leading_value(opts, profile->sorted[i]),
				    profile->period, least);
	}
}

static int print_text(const struct report_options *opts, const struct gather *gather)
{
	char buf[REPORT_SUM_LEN];
	u32 i;

	printf("#\n# Total Lost Samples: %llu\n", losses_sum(&gather->losses));
	for (i = 0; i < gather->nr_profiles; i++) {
		if (!gather->profiles[i])
			continue;
		print_profile(opts, gather->profiles[i]);
		putchar('\n');
	}
	printf("#\n# %s\n#\n", report_sum_text(gather, buf, sizeof(buf)));
	return 0;
}

const struct report_format report_text_format = {
	.has_sum = true,
	.print = print_text,
};

const struct report_format report_stdio_format = {
	.no_pager = true,
	.has_sum = true,
	.print = print_text,
};
