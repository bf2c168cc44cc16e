// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - choose and sort the rows of a table
 */
#include <errno.h>
#include <stdlib.h>

#include "profile/cells.h"
#include "view/table_order.h"
#include "view/table_rows.h"

/*
 * Return the value of the first percentage column of what the profile adds up, or the entry's own
 * sum if there is none.
 */
u64 table_leading_value(const struct table_view *view, const struct profile_entry *entry)
{
	size_t i;

	for (i = 0; i < view->options.nr_columns; i++) {
		if (column_leads(view->options.columns[i], entry))
			return view->options.columns[i]->value(entry);
	}
	return entry->self->period;
}

static bool is_shown(struct table_view *view, u32 number)
{
	struct profile_entry entry;

	if (view->options.limit > 0) {
		entry = entries_at(&view->profile->entries, number);
		if (profile_share(table_leading_value(view, &entry), view->profile->period) <
		    view->options.limit)
			return false;
	}
	return zooms_show(&view->zooms, view->profile, number);
}

/* Add the only row of a zoom into a call tree, and open it. */
static int add_node(struct table_view *view, const struct zoom *zoom)
{
	struct item item;
	int err;

	if (!zoom_find_node(zoom, view->profile, &item))
		return 0;
	err = items_add(&view->items, item.entry, item.node);
	if (!err && !view->items.list[0].is_open)
		err = items_open(&view->items, 0, false);
	view->nr_shown = 1;
	view->shown = item.node ? item.node->period :
				  entries_self(&view->profile->entries, item.entry)->period;
	return err;
}

static int add_entries(struct table_view *view)
{
	const u32 *order = view->order ? view->order : view->profile->sorted;
	u32 i;
	int err = 0;

	for (i = 0; i < view->profile->entries.nr && !err; i++) {
		if (!is_shown(view, order[i]))
			continue;
		err = items_add(&view->items, order[i], NULL);
		view->nr_shown++;
		view->shown += entries_self(&view->profile->entries, order[i])->period;
	}
	return err;
}

/* Return the item_id() of the row with the cursor, or 0 if there are no rows. */
u64 table_cursor(const struct table_view *view)
{
	const struct item *item = table_item(view);

	return item ? item_id(view->profile, item) : 0;
}

/*
 * Make all rows again. Put the cursor into the row with the item_id() @id if it is there, or
 * into the first one if @id is 0.
 */
int table_make_rows(struct table_view *view, u64 id)
{
	const struct zoom *zoom = zooms_node(&view->zooms);
	size_t at;
	int err;

	view->items.nr = 0;
	view->nr_shown = 0;
	view->shown = 0;
	err = zoom ? add_node(view, zoom) : add_entries(view);
	scroll_resize(&view->page.scroll, view->items.nr, view->page.scroll.height);
	at = id ? items_find(&view->items, id) : 0;
	if (at < view->items.nr)
		scroll_to(&view->page.scroll, at);
	return err;
}

/* Make the order of the column table_view.sort. */
int table_sort(struct table_view *view)
{
	free(view->order);
	view->order = NULL;
	if (!view->sort)
		return 0;
	view->order = table_order(view->profile, view->options.columns[view->sort - 1]);
	return view->order ? 0 : -ENOMEM;
}
