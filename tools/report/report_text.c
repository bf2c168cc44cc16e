// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx report - print tables in the layout of perf report --stdio
 *
 * A table may have a million rows. So the last text of each column is kept, and rows are
 * printed without printf().
 */
#include <string.h>

#include "base/prefetch.h"
#include "base/printable.h"
#include "base/text.h"
#include "cli/pager.h"
#include "cli/tree_text.h"
#include "report/report_counts.h"
#include "report/report_format.h"
#include "report/report_rows.h"
#include "report/report_sum.h"
#include "report/report_threads.h"
#include "view/fit.h"
#include "view/line.h"
#include "view/short_name.h"

#define PERCENT_WIDTH	8
#define WIDTH_MAX	256
/* By default, do not print branches of call trees below this percentage, as in perf. */
#define LEAST_BRANCH	0.5
/* expect() prefetches AHEAD and 2 * AHEAD rows ahead. */
#define AHEAD		8

/**
 * struct cell - a value and its text, kept because the next row often has the same value
 * @value:	the value
 * @is_known:	@value, @text and @len are valid
 * @text:	the text, in @buf or elsewhere
 * @len:	its length in bytes
 * @buf:	memory for a text that must be formatted
 */
struct cell {
	u64	value;
	bool	is_known;
	const char *text;
	size_t	len;
	char	buf[COLUMN_TEXT_LEN];
};

/**
 * struct table_text - a table being printed
 * @opts:	the command line
 * @profile:	profile in the table
 * @width:	width of each column in characters
 * @columns:	columns of the terminal that names are shortened for; 0 for whole names
 * @cells:	for each column, the cell that get_cell() returned last
 * @rows:	rows that are not written yet
 */
struct table_text {
	const struct report_options *opts;
	const struct profile *profile;
	size_t	width[REPORT_MAX_FIELDS];
	u32	columns;
	struct cell cells[REPORT_MAX_FIELDS];
	struct text rows;
};

static const char *mark_of(const struct column *column, u64 value)
{
	return column->mark ? column->mark(value) : "";
}

/* Return the cell of @entry in column @at. It is valid until the next call for @at. */
static const struct cell *get_cell(struct table_text *table, const struct profile_entry *entry,
				   size_t at)
{
	const struct column *column = table->opts->columns[at];
	u64 value = profile_value(table->profile, entry, column);
	struct cell *cell = &table->cells[at];
	const char *text;

	if (cell->is_known && cell->value == value)
		return cell;
	cell->value = value;
	cell->is_known = true;
	text = profile_cell(table->profile, column, value, cell->buf, sizeof(cell->buf));
	/* Only texts can have characters that must be escaped. */
	cell->text = column->kind == COLUMN_TEXT ? printable(text) : text;
	/* printable() reuses its buffers: do not keep a text that it escaped. */
	cell->is_known = cell->text == text;
	cell->len = strlen(cell->text);
	return cell;
}

/*
 * Return true if column @at is wide enough for the number of @entry, because an earlier
 * entry had a number at least as large.
 */
static bool is_narrow(const struct table_text *table, const struct profile_entry *entry, size_t at)
{
	const struct column *column = table->opts->columns[at];
	const struct cell *cell = &table->cells[at];

	return (column->kind == COLUMN_PERCENT || column->kind == COLUMN_NUMBER ||
		column->kind == COLUMN_TIME) &&
	       cell->is_known && profile_value(table->profile, entry, column) <= cell->value;
}

static void widen(struct table_text *table, const struct profile_entry *entry)
{
	const struct cell *cell;
	size_t i, len;

	for (i = 0; i < table->opts->nr_columns; i++) {
		if (is_narrow(table, entry, i))
			continue;
		cell = get_cell(table, entry, i);
		len = strlen(mark_of(table->opts->columns[i], cell->value)) + cell->len;
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
	int width;

	fputs("#", stdout);
	for (i = 0; i < opts->nr_columns; i++) {
		width = table->width[i];
		if (opts->columns[i]->kind == COLUMN_TEXT && i + 1 == opts->nr_columns)
			printf("%*s%.*s", i ? 2 : 1, "", width, opts->columns[i]->title);
		else
			printf("%*s%*.*s", i ? 2 : 1, "",
			       opts->columns[i]->kind == COLUMN_TEXT ? -width : width, width,
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

/* Add the blanks that pad @len characters to @width. */
static void pad(struct text *rows, size_t len, size_t width)
{
	if (len < width)
		text_fill(rows, ' ', width - len);
}

/* Add a text, shortened to @width columns if there is a terminal. Return its columns. */
static size_t add_text(struct table_text *table, const struct cell *cell, u32 width)
{
	char buf[SHORT_NAME_LEN];
	const char *text;

	if (!table->columns) {
		text_add(&table->rows, cell->text, cell->len);
		return cell->len;
	}
	text = short_name(cell->text, width, buf);
	text_add(&table->rows, text, strlen(text));
	return text_columns(text);
}

static void add_row(struct table_text *table, const struct profile_entry *entry)
{
	const struct report_options *opts = table->opts;
	struct text *rows = &table->rows;
	const struct cell *cell;
	const char *mark;
	size_t i, len;

	for (i = 0; i < opts->nr_columns; i++) {
		cell = get_cell(table, entry, i);
		text_add(rows, "  ", 2);
		if (opts->columns[i]->kind != COLUMN_TEXT) {
			pad(rows, cell->len, table->width[i]);
			text_add(rows, cell->text, cell->len);
			continue;
		}
		mark = mark_of(opts->columns[i], cell->value);
		len = strlen(mark);
		text_add(rows, mark, len);
		len += add_text(table, cell, table->width[i] > len ? table->width[i] - len : 0);
		if (i + 1 < opts->nr_columns)
			pad(rows, len, table->width[i]);
	}
	text_char(rows, '\n');
}

/*
 * Prefetch the entry at position @at + 2 * AHEAD, and the memory that text keys of the
 * entry at @at + AHEAD point to.
 *
 * @order: numbers of the entries by position, or NULL if these are the positions
 */
static void expect(const struct profile *profile, const u32 *order, size_t at)
{
	size_t next = at + AHEAD, last = at + 2 * AHEAD, i;
	const struct profile_keys *keys = profile->keys;
	struct profile_entry entry;
	uintptr_t text;

	if (last >= profile->entries.nr)
		return;
	entry = entries_at(&profile->entries, order ? order[last] : last);
	prefetch(entry.self);
	prefetch(entry.children);
	prefetch(entry.keys);
	entry = entries_at(&profile->entries, order ? order[next] : next);
	for (i = 0; i < keys->nr; i++) {
		if (keys->columns[i]->kind != COLUMN_TEXT)
			continue;
		text = entry.keys[i];
		prefetch((const void *)text);
		/* The last member of a symbol, which may be in the next line of the cache. */
		prefetch((const void *)(text + sizeof(struct symbol) - 1));
	}
}

static size_t title_width(const struct column *column)
{
	size_t len = strlen(column->title);

	return column->kind == COLUMN_PERCENT && len < PERCENT_WIDTH ? PERCENT_WIDTH : len;
}

/* Choose widths by which a line fits into the terminal. */
static void fit_table(struct table_text *table)
{
	const struct report_options *opts = table->opts;
	struct fit fits[REPORT_MAX_FIELDS] = { { 0 } };
	size_t nr = opts->nr_columns, i;
	u32 gaps = 2 * nr;

	for (i = 0; i < nr; i++)
		fits[i] = (struct fit){ .is_text = opts->columns[i]->kind == COLUMN_TEXT,
					.title = title_width(opts->columns[i]),
					.wants = table->width[i] };
	fit_columns(fits, nr, columns_symbol(opts->columns, nr),
		    table->columns > gaps ? table->columns - gaps : 0);
	for (i = 0; i < nr; i++)
		table->width[i] = fits[i].width;
}

static void print_head(const struct report_options *opts, const struct profile *profile)
{
	u64 on = profile->period - profile->off_period;

	printf("#\n# Samples: %llu of event '%s'\n", profile->samples, printable(profile->event));
	if (opts->wall)
		printf("# Time on CPU: %.3f ms, off CPU: %.3f ms\n#\n", (double)on / NSEC_PER_MSEC,
		       (double)profile->off_period / NSEC_PER_MSEC);
	else if (opts->gather.latency)
		printf("# Event count (approx.): %llu, latency: %llu\n#\n", profile->spent,
		       profile->period);
	else
		printf("# Event count (approx.): %llu\n#\n", profile->period);
}

static void print_profile(const struct report_options *opts, const struct profile *profile)
{
	struct table_text table = { .opts = opts, .profile = profile, .rows.out = stdout,
				    .columns = opts->whole_names ? 0 : output_columns() };
	struct tree_text trees = { .out = stdout, .total = profile->period,
				   .limit = opts->limit >= 0 ? opts->limit : LEAST_BRANCH,
				   .columns = table.columns };
	const struct call_node *tree;
	struct profile_entry entry;
	size_t i;

	print_head(opts, profile);
	for (i = 0; i < opts->nr_columns; i++)
		table.width[i] = table.columns ? 0 : title_width(opts->columns[i]);
	for (i = 0; i < profile->entries.nr; i++) {
		/*
		 * The widths do not depend on the order of rows, so use the order in
		 * memory, which is the fastest.
		 */
		expect(profile, NULL, i);
		entry = entries_at(&profile->entries, i);
		if (report_is_shown(opts, profile, &entry))
			widen(&table, &entry);
	}
	if (table.columns)
		fit_table(&table);
	/* A row begins with two blanks, the title with "#" and one blank. */
	print_title(&table);
	for (i = 0; i < profile->entries.nr; i++) {
		expect(profile, profile->sorted, i);
		entry = profile_sorted(profile, i);
		if (!report_is_shown(opts, profile, &entry))
			continue;
		add_row(&table, &entry);
		tree = profile_tree(profile, profile->sorted[i]);
		if (!tree)
			continue;
		text_flush(&table.rows);
		tree_text_print(&trees, tree, report_leading_value(opts, &entry));
	}
	text_flush(&table.rows);
}

static int print_text(const struct report_options *opts, const struct gather *gather)
{
	char buf[REPORT_SUM_LEN];
	u32 i;

	printf("#\n# Total Lost Samples: %llu\n", losses_sum(&gather->losses));
	report_counts_text(stdout, &gather->counts);
	for (i = 0; i < gather->nr_profiles; i++) {
		if (!gather->profiles[i])
			continue;
		print_profile(opts, gather->profiles[i]);
		putchar('\n');
	}
	if (opts->gather.threads)
		report_threads_text(stdout, &gather->threads);
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
