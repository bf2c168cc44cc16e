// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the page of a table, and its commands
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/printable.h"
#include "view/table_draw.h"
#include "view/table_rows.h"
#include "view/table_view.h"
#include "view/table_zoom.h"

/*
 * Show another profile, with the same keys. All texts and functions that are keys must be the
 * same pointers as before. The cursor, open rows, zooms and the order stay.
 */
int table_view_replace(struct table_view *view, const struct profile *profile)
{
	u64 id = table_cursor(view);
	int err;

	view->profile = profile;
	view->items.profile = profile;
	err = table_sort(view);
	return err ? err : table_make_rows(view, id);
}

/* Return the index of the column that rows are sorted by: at first, of the first value. */
static size_t sorted_column(const struct table_view *view)
{
	size_t i = 0;

	if (view->sort)
		return view->sort - 1;
	while (i + 1 < view->options.nr_columns && !view->options.columns[i]->value)
		i++;
	return i;
}

/* Sort by the column that is @step further, and show the first rows. */
static void change_order(struct table_view *view, size_t step, struct message *message)
{
	size_t nr = view->options.nr_columns;

	view->sort = (sorted_column(view) + step) % nr + 1;
	if (table_sort(view) || table_make_rows(view, 0))
		page_no_memory(message);
}

static void open_row(struct table_view *view, bool whole, struct message *message)
{
	const struct item *item = table_item(view);

	if (!item)
		return;
	if (!item_tree(view->profile, item)) {
		message_set(message, 0, item->node ? "nothing is below this line" :
			    view->options.is_live ?
				    "no call tree here; start top with -g to have one" :
				    "no call tree here; record with -g to have one");
		return;
	}
	if (items_open(&view->items, view->page.scroll.cursor, whole))
		page_no_memory(message);
}

static void fold_row(struct table_view *view)
{
	struct scroll *scroll = &view->page.scroll;
	const struct item *item = table_item(view);

	if (!item)
		return;
	if (item->is_open)
		items_fold(&view->items, scroll->cursor);
	else
		scroll_to(scroll, items_above(&view->items, scroll->cursor));
}

/* Carry out a command. Return false if it is not one of a table. */
static bool command(struct page *page, u32 number, struct message *message)
{
	static const char *const threads[] = { "tid", "thread", "comm", NULL };
	static const char *const processes[] = { "pid", NULL };
	static const char *const binaries[] = { "dso", "path", NULL };
	struct table_view *view = table_of(page);
	bool is_done = true;

	switch (number) {
	case VIEW_EXPAND:
	case VIEW_EXPAND_ALL:
		open_row(view, number == VIEW_EXPAND_ALL, message);
		break;
	case VIEW_FOLD:
		fold_row(view);
		break;
	case VIEW_BACK:
		is_done = table_undo(view, message);
		break;
	case VIEW_SORT:
		change_order(view, 1, message);
		break;
	case VIEW_SORT_BACK:
		change_order(view, view->options.nr_columns - 1, message);
		break;
	case VIEW_ZOOM_THREAD:
		table_zoom_by_key(view, threads, message);
		break;
	case VIEW_ZOOM_PROCESS:
		table_zoom_by_key(view, processes, message);
		break;
	case VIEW_ZOOM_BINARY:
		table_zoom_by_key(view, binaries, message);
		break;
	case VIEW_ZOOM_PARENT:
		table_zoom_to_parent(view, message);
		break;
	default:
		is_done = false;
	}
	scroll_resize(&page->scroll, view->items.nr, page->scroll.height);
	return is_done;
}

/* Return the number that an entry of @from has in @to, which has the same entries. */
static u32 same_entry(const struct profile *from, const struct profile *to, u32 entry)
{
	u32 i = 0;

	while (from->sorted[i] != entry)
		i++;
	return to->sorted[i];
}

/* Let a zoom or filter refer to the same entry in @to. */
static void move_zoom(struct zoom *zoom, const struct profile *from, const struct profile *to)
{
	struct item item = { .entry = same_entry(from, to, zoom->entry) };

	memset(zoom->memo, 0, sizeof(zoom->memo));
	zoom->entry = item.entry;
	zoom->back = item_id(to, &item);
	zoom->keys[zoom->key] = entries_keys(&to->entries, item.entry)[zoom->key];
}

/*
 * Show the same profile, which was gathered again with call trees: only pointers that are keys
 * differ. No row may be open. Return -EINVAL if it is another profile.
 */
int table_view_reload(struct table_view *view, const struct profile *profile)
{
	const struct profile *old = view->profile;
	const struct item *cursor = table_item(view);
	struct item item = { 0 };
	u32 i;
	int err;

	if (old->entries.nr != profile->entries.nr || old->samples != profile->samples)
		return -EINVAL;
	for (i = 0; i < view->zooms.nr; i++)
		move_zoom(&view->zooms.list[i], old, profile);
	if (cursor)
		item.entry = same_entry(old, profile, cursor->entry);
	view->profile = profile;
	view->items.profile = profile;
	view->options.trees_later = false;
	err = table_sort(view);
	return err ? err : table_make_rows(view, cursor ? item_id(profile, &item) : 0);
}

static bool matches(struct page *page, size_t at, const struct pattern *pattern)
{
	const struct table_view *view = table_of(page);
	const struct item *item = &view->items.list[at];
	char buf[COLUMN_TEXT_LEN];

	if (!item->node)
		return entry_matches(view->profile, item->entry, pattern);
	return pattern_matches(pattern, printable(symbol_key_text(item->node->key, buf,
								  sizeof(buf))));
}

/* Return the function of the row with the cursor or, without key sym, the last text key. */
static const char *name(struct page *page, char *buf, size_t len)
{
	const struct table_view *view = table_of(page);
	const struct profile_keys *keys = view->profile->keys;
	const struct column *column = NULL;
	const struct item *item = table_item(view);
	u64 key = 0;
	size_t i;

	if (!item)
		return NULL;
	if (item->node)
		return symbol_key_text(item->node->key, buf, len);
	for (i = 0; i < keys->nr; i++) {
		if (keys->columns[i]->kind != COLUMN_TEXT)
			continue;
		if (column && !strcmp(column->word, "sym"))
			break;
		column = keys->columns[i];
		key = entries_keys(&view->profile->entries, item->entry)[i];
	}
	return column ? column->text(key, buf, len) : NULL;
}

static const struct page_ops table_ops = {
	.kind = VIEW_TABLE,
	.nr_heads = 3,
	.head = table_draw_head,
	.measure = table_draw_measure,
	.row = table_draw_row,
	.matches = matches,
	.command = command,
	.filter = table_filter,
	.name = name,
};

/*
 * Make the table of a profile, which must be sorted. Call table_view_free() even if this
 * fails. @options->columns must stay valid until then.
 */
int table_view_init(struct table_view *view, const struct table_options *options,
		    const struct profile *profile)
{
	*view = (struct table_view){ .page.ops = &table_ops, .page.scroll.height = 1,
				     .options = *options, .profile = profile,
				     .items.profile = profile };
	snprintf(view->title, sizeof(view->title),
		 "Samples: %llu of event '%s', event count (approx.): %llu", profile->samples,
		 printable(profile->event), profile->period);
	return table_make_rows(view, 0);
}

/* Return the number of a column plus 1, or 0 if there is no such column. */
static size_t column_number(const struct table_options *options, const struct column *column)
{
	size_t i;

	for (i = 0; i < options->nr_columns; i++) {
		if (options->columns[i] == column)
			return i + 1;
	}
	return 0;
}

/*
 * Show other columns. Rows stay in their order, if the column that they are sorted by stays.
 * @options->columns must stay valid until table_view_free(). If memory runs out, return -ENOMEM.
 */
int table_view_choose(struct table_view *view, const struct table_options *options)
{
	const struct column *sorted = view->options.columns[sorted_column(view)];

	if (view->sort)
		view->sort = column_number(options, sorted);
	view->options = *options;
	memset(view->fits, 0, sizeof(view->fits));
	return table_view_replace(view, view->profile);
}

void table_view_free(struct table_view *view)
{
	items_free(&view->items);
	zooms_free(&view->zooms);
	free(view->order);
	view->order = NULL;
}
