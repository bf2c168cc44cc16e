// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx diff - print tables
 */
#include <stdio.h>
#include <string.h>

#include "base/printable.h"
#include "diff/diff_print.h"

#define PERCENT_WIDTH	8
#define INTERVAL_WIDTH	16
#define VERDICT_WIDTH	6
#define WIDTH_MAX	256

/* Format "New", or "New 2" if there are several new recordings. */
static const char *title_of(const struct diff_options *opts, u32 nr, char *buf, size_t len)
{
	if (!nr)
		return "Old";
	if (opts->nr_files == 2)
		return "New";
	snprintf(buf, len, "New %u", nr);
	return buf;
}

static void print_begin(const struct diff_options *opts, const struct side *sides)
{
	char title[16];
	u32 i;

	for (i = 0; i < opts->nr_files; i++)
		printf("# %s: %s, %llu samples, %llu lost\n",
		       title_of(opts, i, title, sizeof(title)), printable(sides[i].name),
		       sides[i].gather.samples, losses_sum(&sides[i].gather.losses));
	if (opts->normalize == NORMALIZE_TIME)
		printf("# Percentages refer to the events per second of the old recording.\n");
	if (opts->normalize == NORMALIZE_NONE)
		printf("# Percentages refer to the events of the old recording.\n");
	puts("#");
}

static void print_change(const struct change *change)
{
	char interval[64];

	snprintf(interval, sizeof(interval), "%+.2f..%+.2f", change->by.interval.low,
		 change->by.interval.high);
	printf("  %*.2f%%  %+*.2f%%  %*s  %-*s", PERCENT_WIDTH - 1, change->now, PERCENT_WIDTH - 1,
	       change->by.value, INTERVAL_WIDTH, interval, VERDICT_WIDTH,
	       verdict_word(change->verdict));
}

static void print_totals(const struct table *table)
{
	char title[16];
	u32 i;

	if (table->opts->normalize == NORMALIZE_WEIGHT)
		return;
	for (i = 0; i < table_nr_new(table); i++) {
		printf("# %s, all lines:", title_of(table->opts, i + 1, title, sizeof(title)));
		print_change(&table->totals[i]);
		putchar('\n');
	}
}

static void print_head(const struct table *table)
{
	u32 i;

	printf("# Event '%s', samples:", printable(table->event));
	for (i = 0; i < table->opts->nr_files; i++)
		printf(" %llu", table->scales[i].total.samples);
	printf("\n# Event count (approx.):");
	for (i = 0; i < table->opts->nr_files; i++)
		printf(" %llu", table->scales[i].total.period);
	putchar('\n');
	print_totals(table);
	puts("#");
}

/* Return the text of a key, and its mark. The text may be in @buf. */
static const char *cell(const struct table *table, u32 line, size_t key, const char **mark,
			char *buf, size_t len)
{
	const struct column *column = table->opts->gather.keys.columns[key];

	*mark = column->mark ? column->mark(table_key(table, line, key)) : "";
	if (column->text)
		return printable(table_text(table, line, key, buf, len));
	snprintf(buf, len, "%llu", table_key(table, line, key));
	return buf;
}

static size_t width_of(const struct table *table, size_t key)
{
	size_t width = strlen(table->opts->gather.keys.columns[key]->title), len;
	char buf[COLUMN_TEXT_LEN];
	const char *mark;
	u32 i;

	for (i = 0; i < table->nr_shown; i++) {
		len = strlen(cell(table, table->order[i], key, &mark, buf, sizeof(buf)));
		len += strlen(mark);
		/* A very long cell does not widen its column. */
		if (len > width && len <= WIDTH_MAX)
			width = len;
	}
	return width;
}

/* Print two blanks and @width dots, which separate the titles from the lines. */
static void rule(size_t width)
{
	fputs("  ", stdout);
	while (width--)
		putchar('.');
}

static void print_titles(const struct table *table, const size_t *width)
{
	const struct profile_keys *keys = &table->opts->gather.keys;
	char title[16];
	size_t i;

	printf("#%*s", PERCENT_WIDTH + 1, "Old");
	for (i = 1; i < table->opts->nr_files; i++)
		printf("  %*s  %*s  %*s  %-*s", PERCENT_WIDTH,
		       title_of(table->opts, i, title, sizeof(title)), PERCENT_WIDTH, "Change",
		       INTERVAL_WIDTH, "95 % Interval", VERDICT_WIDTH, "Result");
	for (i = 0; i < keys->nr; i++)
		printf("  %-*s", i + 1 < keys->nr ? (int)width[i] : 0, keys->columns[i]->title);
	printf("\n# ");
	for (i = 0; i < PERCENT_WIDTH; i++)
		putchar('.');
	for (i = 1; i < table->opts->nr_files; i++) {
		rule(PERCENT_WIDTH);
		rule(PERCENT_WIDTH);
		rule(INTERVAL_WIDTH);
		rule(VERDICT_WIDTH);
	}
	for (i = 0; i < keys->nr; i++)
		rule(width[i]);
	puts("\n#");
}

static void print_line(const struct table *table, u32 line, const size_t *width)
{
	const struct profile_keys *keys = &table->opts->gather.keys;
	const struct change *changes = table_changes(table, line);
	char buf[COLUMN_TEXT_LEN];
	const char *text, *mark;
	size_t i, len;

	printf("  %*.2f%%", PERCENT_WIDTH - 1, changes[0].old);
	for (i = 0; i < table_nr_new(table); i++)
		print_change(&changes[i]);
	for (i = 0; i < keys->nr; i++) {
		text = cell(table, line, i, &mark, buf, sizeof(buf));
		len = strlen(mark) + strlen(text);
		printf("  %s%s%*s", mark, text,
		       i + 1 < keys->nr && len < width[i] ? (int)(width[i] - len) : 0, "");
	}
	putchar('\n');
}

static void print_table(const struct table *table)
{
	size_t width[PROFILE_MAX_KEYS], i;

	print_head(table);
	for (i = 0; i < table->opts->gather.keys.nr; i++)
		width[i] = width_of(table, i);
	print_titles(table, width);
	for (i = 0; i < table->nr_shown; i++)
		print_line(table, table->order[i], width);
	putchar('\n');
}

const struct diff_format diff_text_format = {
	.begin = print_begin,
	.table = print_table,
};
