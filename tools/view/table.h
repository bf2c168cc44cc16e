/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - a profile as a table of rows, without a terminal
 *
 * A row has the same text as a line of `report --stdio`. Rows can be sorted, filtered and
 * opened to show their call trees. A profile may have a million entries, so rows are
 * numbers of entries until they are drawn.
 */
#ifndef TPROF_VIEW_TABLE_H
#define TPROF_VIEW_TABLE_H

#include "view/fit.h"
#include "view/items.h"
#include "view/page.h"
#include "view/zooms.h"

#define TABLE_MAX_COLUMNS	16

/**
 * struct table_options - what a table shows
 * @columns:	its columns
 * @nr_columns:	number of @columns
 * @limit:	leave out rows below this percentage; 0 or less for none
 * @whole_names: do not shorten names that are too long for the window
 * @trees_later: the profile has no call trees yet: see browser_calls.trees
 * @is_live:	top shows the table, not report
 */
struct table_options {
	const struct column *const *columns;
	size_t	nr_columns;
	double	limit;
	bool	whole_names;
	bool	trees_later;
	bool	is_live;
};

/**
 * struct table_view - a table
 * @page:	the page
 * @profile:	the profile, which profile_sort() has sorted
 * @options:	what it shows
 * @title:	first line of the head
 * @sort:	number of the column that rows are sorted by, plus 1; 0 for the order of the profile
 * @order:	numbers of the entries in that order; NULL for the order of the profile
 * @items:	rows
 * @zooms:	which rows are shown
 * @width:	width of the lines that @fits are for
 * @fits:	width of each column; what it wants only grows, so that columns do not move while
 *		scrolling
 * @nr_shown:	number of entries that are shown
 * @shown:	sum of their own periods
 */
struct table_view {
	struct page page;
	const struct profile *profile;
	struct table_options options;
	char	title[256];
	size_t	sort;
	u32	*order;
	struct items items;
	struct zooms zooms;
	u32	width;
	struct fit fits[TABLE_MAX_COLUMNS];
	u32	nr_shown;
	u64	shown;
};

/* Return the table of a page. */
static inline struct table_view *table_of(struct page *page)
{
	return container_of(page, struct table_view, page);
}

/* Return the row with the cursor, or NULL if there are no rows. */
static inline const struct item *table_item(const struct table_view *view)
{
	return view->items.nr ? &view->items.list[view->page.scroll.cursor] : NULL;
}

#endif /* TPROF_VIEW_TABLE_H */
