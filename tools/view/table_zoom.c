// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - zoom into a table, filter it, and go back the same way
 */
#include <errno.h>
#include <string.h>

#include "view/table_rows.h"
#include "view/table_zoom.h"

/* Return the index of the first of @words that is a key, or profile_keys.nr if none is. */
static size_t find_key(const struct profile_keys *keys, const char *const *words)
{
	size_t i;

	for (; *words; words++) {
		for (i = 0; i < keys->nr; i++) {
			if (!strcmp(keys->columns[i]->word, *words))
				return i;
		}
	}
	return keys->nr;
}

/* Add a condition. Return NULL and set @message if there is no row, or no room. */
static struct zoom *push(struct table_view *view, enum zoom_kind kind, struct message *message)
{
	const struct item *item = table_item(view);
	struct zoom *zoom;

	if (!item) {
		message_set(message, 0, "no line here; press Esc to undo the last zoom or filter");
		return NULL;
	}
	zoom = zooms_push(&view->zooms, kind, table_cursor(view));
	if (zoom)
		zoom->entry = item->entry;
	else
		message_set(message, 0,
			    "too many zooms and filters; press Esc to undo the last one");
	return zoom;
}

/*
 * Show only the rows that have the same key as the row with the cursor.
 *
 * @words: names of columns, the best one first, and NULL
 */
void table_zoom_by_key(struct table_view *view, const char *const *words,
		       struct message *message)
{
	size_t key = find_key(view->profile->keys, words);
	const struct item *item = table_item(view);
	struct zoom *zoom;

	if (key == view->profile->keys->nr) {
		message_set(message, 0, "lines have no key %s; run %s with -s %s,sym", words[0],
			    view->options.is_live ? "top" : "report", words[0]);
		return;
	}
	zoom = push(view, ZOOM_KEY, message);
	if (!zoom || !item)
		return;
	zoom->key = key;
	zoom->keys[key] = entries_keys(&view->profile->entries, item->entry)[key];
	if (table_make_rows(view, zoom->back))
		page_no_memory(message);
}

/* Show only the call tree below the row that the row with the cursor is below. */
void table_zoom_to_parent(struct table_view *view, struct message *message)
{
	static const char *const words[] = { "parent", NULL };
	const struct item *item = table_item(view);
	struct item above;
	struct zoom *zoom;

	if (item && !item->depth && view->options.is_live) {
		message_set(message, 0, "no function is above this line; go to one in a call tree");
		return;
	}
	if (!item || !item->depth) {
		table_zoom_by_key(view, words, message);
		return;
	}
	above = view->items.list[items_above(&view->items, view->page.scroll.cursor)];
	zoom = push(view, ZOOM_NODE, message);
	if (!zoom)
		return;
	if (zoom_set_node(zoom, view->profile, &above) || table_make_rows(view, zoom->back))
		page_no_memory(message);
}

/* Show only the rows that match a pattern. */
void table_filter(struct page *page, const char *text, struct message *message)
{
	struct table_view *view = table_of(page);
	struct zoom *zoom;

	if (zooms_node(&view->zooms)) {
		message_set(message, 0, "this is a call tree; press Esc first, then filter lines");
		return;
	}
	zoom = push(view, ZOOM_TEXT, message);
	if (!zoom)
		return;
	pattern_set(&zoom->pattern, text);
	if (table_make_rows(view, zoom->back))
		page_no_memory(message);
	if (!view->items.nr)
		message_set(message, 0, "no line has '%s'; press Esc to undo the filter", text);
}

/* Undo the last zoom or filter. Return false if there is none. */
bool table_undo(struct table_view *view, struct message *message)
{
	if (!view->zooms.nr)
		return false;
	if (table_make_rows(view, zooms_pop(&view->zooms)))
		page_no_memory(message);
	return true;
}
