// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx top - print a table of each event
 */
#include <stdio.h>
#include <string.h>

#include "base/printable.h"
#include "cli/tree_text.h"
#include "profile/cells.h"
#include "top/top_text.h"

#define PERCENT_WIDTH	8
#define WIDTH_MAX	48
/* Do not print branches of call trees below this percentage. */
#define LEAST_BRANCH	0.5

/**
 * struct printing - a table that is printed
 * @columns:	its columns
 * @profile:	the profile
 * @nr:		number of rows
 * @width:	width of each column
 */
struct printing {
	const struct top_columns *columns;
	const struct profile *profile;
	u32	nr;
	size_t	width[TOP_MAX_COLUMNS];
};

/* Make the text of column @at of an entry. */
static const char *cell(const struct printing *printing, const struct profile_entry *entry,
			size_t at, char *buf, size_t len)
{
	const struct column *column = printing->columns->list[at];
	u64 value = profile_value(printing->profile, entry, column);
	char text[COLUMN_TEXT_LEN];

	snprintf(buf, len, "%s%s", column->mark ? column->mark(value) : "",
		 printable(profile_cell(printing->profile, column, value, text, sizeof(text))));
	return buf;
}

static void measure(struct printing *printing)
{
	char buf[COLUMN_TEXT_LEN + 8];
	struct profile_entry entry;
	size_t at, len;
	u32 i;

	for (at = 0; at < printing->columns->nr; at++) {
		len = strlen(printing->columns->list[at]->title);
		printing->width[at] = len > PERCENT_WIDTH ? len : PERCENT_WIDTH;
		for (i = 0; i < printing->nr; i++) {
			entry = profile_sorted(printing->profile, i);
			len = strlen(cell(printing, &entry, at, buf, sizeof(buf)));
			if (len > printing->width[at] && len <= WIDTH_MAX)
				printing->width[at] = len;
		}
	}
}

/* Print a text of column @at, padded unless it is the last text. */
static void put(const struct printing *printing, size_t at, const char *text)
{
	bool is_text = printing->columns->list[at]->kind == COLUMN_TEXT;
	int width = printing->width[at];

	if (is_text && at + 1 == printing->columns->nr)
		width = 0;
	printf("  %*s", is_text ? -width : width, text);
}

static void print_rows(const struct printing *printing)
{
	const struct profile *profile = printing->profile;
	char buf[COLUMN_TEXT_LEN + 8];
	const struct call_node *tree;
	struct profile_entry entry;
	size_t at;
	u32 i;

	for (i = 0; i < printing->nr; i++) {
		entry = profile_sorted(profile, i);
		for (at = 0; at < printing->columns->nr; at++)
			put(printing, at, cell(printing, &entry, at, buf, sizeof(buf)));
		putchar('\n');
		tree = profile_tree(profile, profile->sorted[i]);
		if (tree)
			tree_text_print(stdout, tree, entry.children->period, profile->period,
					LEAST_BRANCH);
	}
}

static void print_profile(const struct top_options *opts, const struct profile *profile)
{
	const struct top_columns *columns = &opts->columns[opts->confidence];
	struct printing printing = { .columns = columns, .profile = profile };
	size_t at;

	printing.nr = profile->entries.nr < opts->rows ? profile->entries.nr : opts->rows;
	printf("# Samples: %llu of event '%s'\n", profile->samples, printable(profile->event));
	measure(&printing);
	putchar('#');
	for (at = 0; at < columns->nr; at++)
		put(&printing, at, columns->list[at]->title);
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
