// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx top - print a table of each event
 */
#include <stdio.h>
#include <string.h>

#include "base/printable.h"
#include "cli/pager.h"
#include "cli/tree_text.h"
#include "profile/cells.h"
#include "top/top_text.h"
#include "view/fit.h"
#include "view/line.h"
#include "view/short_name.h"

#define PERCENT_WIDTH	8
#define WIDTH_MAX	48
/* No name has so many columns. */
#define WHOLE		(~0U)
/* Do not print branches of call trees below this percentage. */
#define LEAST_BRANCH	0.5

/**
 * struct printing - a table that is printed
 * @columns:	its columns
 * @profile:	the profile
 * @nr:		number of rows
 * @width:	width of each column
 * @terminal:	columns of the terminal that names are shortened for; 0 for whole names
 */
struct printing {
	const struct top_columns *columns;
	const struct profile *profile;
	u32	nr;
	size_t	width[TOP_MAX_COLUMNS];
	u32	terminal;
};

/* Make the text of column @at of an entry, shortened to @width columns. */
static const char *cell(const struct printing *printing, const struct profile_entry *entry,
			size_t at, u32 width, char *buf, size_t len)
{
	const struct column *column = printing->columns->list[at];
	u64 value = profile_value(printing->profile, entry, column);
	const char *mark = column->mark ? column->mark(value) : "";
	char text[COLUMN_TEXT_LEN], shortened[SHORT_NAME_LEN];
	const char *name = printable(profile_cell(printing->profile, column, value, text,
						  sizeof(text)));

	if (column->kind == COLUMN_TEXT)
		name = short_name(name, width > strlen(mark) ? width - strlen(mark) : 0,
				  shortened);
	snprintf(buf, len, "%s%s", mark, name);
	return buf;
}

/* Choose widths by which a line fits into the terminal. */
static void fit_table(struct printing *printing)
{
	const struct top_columns *columns = printing->columns;
	struct fit fits[TOP_MAX_COLUMNS] = { { 0 } };
	u32 gaps = 2 * columns->nr;
	size_t i;

	for (i = 0; i < columns->nr; i++)
		fits[i] = (struct fit){ .is_text = columns->list[i]->kind == COLUMN_TEXT,
					.title = strlen(columns->list[i]->title),
					.wants = printing->width[i] };
	fit_columns(fits, columns->nr, columns_symbol(columns->list, columns->nr),
		    printing->terminal > gaps ? printing->terminal - gaps : 0);
	for (i = 0; i < columns->nr; i++)
		printing->width[i] = fits[i].width;
}

static void measure(struct printing *printing)
{
	size_t most = printing->terminal ? SHORT_NAME_LEN : WIDTH_MAX, at, len;
	char buf[COLUMN_TEXT_LEN + 8];
	struct profile_entry entry;
	u32 i;

	for (at = 0; at < printing->columns->nr; at++) {
		len = strlen(printing->columns->list[at]->title);
		len = len > PERCENT_WIDTH ? len : PERCENT_WIDTH;
		printing->width[at] = printing->terminal ? 0 : len;
		for (i = 0; i < printing->nr; i++) {
			entry = profile_sorted(printing->profile, i);
			len = text_columns(cell(printing, &entry, at, WHOLE, buf, sizeof(buf)));
			if (len > printing->width[at] && len <= most)
				printing->width[at] = len;
		}
	}
	if (printing->terminal)
		fit_table(printing);
}

/* Print a text of column @at, padded unless it is the last text. */
static void put(const struct printing *printing, size_t at, const char *text)
{
	bool is_text = printing->columns->list[at]->kind == COLUMN_TEXT;
	int width = printing->width[at], used = text_columns(text);

	if (is_text && at + 1 == printing->columns->nr)
		width = 0;
	if (is_text)
		printf("  %s%*s", text, width > used ? width - used : 0, "");
	else
		printf("  %*s", width, text);
}

static void print_rows(const struct printing *printing)
{
	const struct profile *profile = printing->profile;
	struct tree_text trees = { .out = stdout, .total = profile->period,
				   .limit = LEAST_BRANCH, .columns = printing->terminal };
	char buf[COLUMN_TEXT_LEN + 8];
	const struct call_node *tree;
	struct profile_entry entry;
	size_t at;
	u32 width, i;

	for (i = 0; i < printing->nr; i++) {
		entry = profile_sorted(profile, i);
		for (at = 0; at < printing->columns->nr; at++) {
			width = printing->terminal ? printing->width[at] : WHOLE;
			put(printing, at, cell(printing, &entry, at, width, buf, sizeof(buf)));
		}
		putchar('\n');
		tree = profile_tree(profile, profile->sorted[i]);
		if (tree)
			tree_text_print(&trees, tree, entry.children->period);
	}
}

static void print_profile(const struct top_options *opts, const struct profile *profile)
{
	const struct top_columns *columns = &opts->columns[opts->confidence];
	struct printing printing = { .columns = columns, .profile = profile,
				     .terminal = opts->whole_names ? 0 : output_columns() };
	char title[32];
	size_t at;

	printing.nr = profile->entries.nr < opts->rows ? profile->entries.nr : opts->rows;
	printf("# Samples: %llu of event '%s'\n", profile->samples, printable(profile->event));
	measure(&printing);
	putchar('#');
	for (at = 0; at < columns->nr; at++) {
		snprintf(title, sizeof(title), "%.*s", (int)printing.width[at],
			 columns->list[at]->title);
		put(&printing, at, title);
	}
	putchar('\n');
	print_rows(&printing);
	if (profile->entries.nr > printing.nr)
		printf("# and %u more rows (see -E)\n", profile->entries.nr - printing.nr);
}

/* Print the status and the tables of an interval. */
void top_text_print(const struct top_options *opts, const struct status *status,
		    const struct gather *gather)
{
	char line[STATUS_LEN];
	u32 i;

	for (i = 0; i < STATUS_LINES; i++) {
		if (*status_line(status, i, line, sizeof(line)))
			printf("# %s\n", line);
	}
	for (i = 0; i < gather->nr_profiles; i++)
		print_profile(opts, gather->profiles[i]);
	putchar('\n');
}
