// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the rows of a table: entries of a profile, and the open parts of their call trees
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "view/items.h"

/**
 * struct growth - rows below a row, to be inserted
 * @items:	all rows
 * @list:	the rows below it
 * @nr:		number of @list
 * @room:	capacity of @list
 * @whole:	open all of them
 */
struct growth {
	struct items *items;
	struct item *list;
	size_t	nr;
	size_t	room;
	bool	whole;
};

/* Return the number that a row is known by. */
u64 item_id(const struct profile *profile, const struct item *item)
{
	u64 id = entries_hash(entries_keys(&profile->entries, item->entry),
			      profile->entries.nr_keys);
	const struct call_node *node;

	for (node = item->node; node && node->parent; node = node->parent)
		id = hash_number(id + node->key);
	return id;
}

/*
 * Return the node whose children are the rows below a row, or NULL if there are none. The
 * tree of a function that calls nothing is just the function.
 */
const struct call_node *item_tree(const struct profile *profile, const struct item *item)
{
	const struct call_node *node = item->node;

	if (!node) {
		node = profile_tree(profile, item->entry);
		if (node && node->first && !node->first->first && !node->first->next)
			return NULL;
	}
	return node && node->first ? node : NULL;
}

/* Return where it is kept whether a row is open, or NULL if memory runs out. */
static bool *open_mark(struct items *items, const struct item *item)
{
	return hash_table_get(&items->open, item_id(items->profile, item), sizeof(bool));
}

static bool was_opened(const struct items *items, const struct item *item)
{
	const bool *mark;
	u64 id;

	if (!items->open.nr)
		return false;
	id = item_id(items->profile, item);
	mark = hash_table_find(&items->open, hash_number(id), NULL, NULL);
	return mark && *mark;
}

static int note_open(struct items *items, struct item *item, bool is_open)
{
	bool *mark = open_mark(items, item);

	item->is_open = is_open;
	if (!mark)
		return -ENOMEM;
	*mark = is_open;
	return 0;
}

/* Append a row of a growth. */
static int grow(struct growth *growth, const struct item *above, const struct call_node *node,
		u32 depth)
{
	struct item *list = array_grow(growth->list, growth->nr, &growth->room, sizeof(*list));
	struct item item = { .node = node, .entry = above->entry, .depth = depth };

	if (!list)
		return -ENOMEM;
	growth->list = list;
	if (node->first && growth->whole && note_open(growth->items, &item, true))
		return -ENOMEM;
	item.is_open = node->first && was_opened(growth->items, &item);
	list[growth->nr++] = item;
	return 0;
}

/* Collect the rows below the row @above. Not recursive: paths can be very long. */
static int grow_below(struct growth *growth, const struct item *above)
{
	const struct call_node *top = item_tree(growth->items->profile, above), *node;
	u32 depth = above->depth + 1;
	int err;

	if (!top)
		return 0;
	for (node = top->first;;) {
		err = grow(growth, above, node, depth);
		if (err)
			return err;
		if (growth->list[growth->nr - 1].is_open) {
			node = node->first;
			depth++;
			continue;
		}
		while (!node->next) {
			node = node->parent;
			depth--;
			if (node == top)
				return 0;
		}
		node = node->next;
	}
}

static int make_room(struct items *items, size_t nr)
{
	struct item *list;
	size_t room = items->room;

	if (items->nr + nr <= room)
		return 0;
	while (items->nr + nr > room)
		room = room ? 2 * room : ARRAY_FIRST_ROOM;
	list = reallocarray(items->list, room, sizeof(*list));
	if (!list)
		return -ENOMEM;
	items->list = list;
	items->room = room;
	return 0;
}

/* Insert the rows below row @at, which is open. */
static int insert_below(struct items *items, size_t at, bool whole)
{
	struct growth growth = { .items = items, .whole = whole };
	int err = grow_below(&growth, &items->list[at]);
	size_t from = at + 1;

	if (!err)
		err = make_room(items, growth.nr);
	if (!err && growth.nr) {
		memmove(&items->list[from + growth.nr], &items->list[from],
			(items->nr - from) * sizeof(*items->list));
		memcpy(&items->list[from], growth.list, growth.nr * sizeof(*growth.list));
		items->nr += growth.nr;
	}
	free(growth.list);
	return err;
}

/* Append a row for an entry, or for a node of its call tree, and the open rows below it. */
int items_add(struct items *items, u32 entry, const struct call_node *node)
{
	struct item item = { .node = node, .entry = entry };
	int err = make_room(items, 1);

	if (err)
		return err;
	item.is_open = item_tree(items->profile, &item) && was_opened(items, &item);
	items->list[items->nr++] = item;
	return item.is_open ? insert_below(items, items->nr - 1, false) : 0;
}

/*
 * Open a row. Also open the rows below it down to the first branch. With @whole, open all
 * rows below it.
 */
int items_open(struct items *items, size_t at, bool whole)
{
	struct item *item = &items->list[at], below = *item;
	const struct call_node *node = item_tree(items->profile, item);
	int err;

	if (!node)
		return 0;
	items_fold(items, at);
	err = note_open(items, item, true);
	while (!err && !node->first->next && node->first->first) {
		node = node->first;
		below.node = node;
		err = note_open(items, &below, true);
	}
	return err ? err : insert_below(items, at, whole);
}

/* Fold a row: remove the rows below it. */
void items_fold(struct items *items, size_t at)
{
	struct item *item = &items->list[at];
	size_t end = at + 1;
	bool *mark;

	if (!item->is_open)
		return;
	while (end < items->nr && items->list[end].depth > item->depth)
		end++;
	memmove(item + 1, &items->list[end], (items->nr - end) * sizeof(*item));
	items->nr -= end - at - 1;
	item->is_open = false;
	/* It exists, because the row was opened. */
	mark = open_mark(items, item);
	if (mark)
		*mark = false;
}

/* Return the row that row @at is below, or @at if there is none. */
size_t items_above(const struct items *items, size_t at)
{
	size_t above = at;

	while (above && items->list[above].depth >= items->list[at].depth)
		above--;
	return items->list[above].depth < items->list[at].depth ? above : at;
}

/* Return the row with the number @id, or items.nr if there is none. */
size_t items_find(const struct items *items, u64 id)
{
	size_t i;

	for (i = 0; i < items->nr; i++) {
		if (item_id(items->profile, &items->list[i]) == id)
			break;
	}
	return i;
}

void items_free(struct items *items)
{
	hash_table_free(&items->open, free);
	free(items->list);
	*items = (struct items){ 0 };
}
