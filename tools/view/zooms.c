// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - a stack of zooms and filters: which rows of a table are shown
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/printable.h"
#include "view/zooms.h"

/* Add a condition, which the caller fills in. Return NULL if there are too many. */
struct zoom *zooms_push(struct zooms *zooms, enum zoom_kind kind, u64 back)
{
	struct zoom *zoom = &zooms->list[zooms->nr];

	if (zooms->nr == ZOOMS_MAX)
		return NULL;
	zooms->nr++;
	*zoom = (struct zoom){ .kind = kind, .back = back };
	return zoom;
}

/* Remove the last condition, which must exist. Return its @back. */
u64 zooms_pop(struct zooms *zooms)
{
	struct zoom *zoom = &zooms->list[--zooms->nr];

	pattern_free(&zoom->pattern);
	free(zoom->path);
	return zoom->back;
}

/* Return the last condition that shows a part of a call tree, or NULL. */
const struct zoom *zooms_node(const struct zooms *zooms)
{
	u32 i;

	for (i = zooms->nr; i--;) {
		if (zooms->list[i].kind == ZOOM_NODE)
			return &zooms->list[i];
	}
	return NULL;
}

static bool key_matches(const struct column *column, u64 key, const struct pattern *pattern)
{
	char buf[COLUMN_TEXT_LEN];

	return pattern_matches(pattern, printable(column->text(key, buf, sizeof(buf))));
}

/* Return true if a pattern matches the text of a key of an entry. */
bool entry_matches(const struct profile *profile, u32 entry, const struct pattern *pattern)
{
	const u64 *keys = entries_keys(&profile->entries, entry);
	size_t i;

	for (i = 0; i < profile->keys->nr; i++) {
		if (profile->keys->columns[i]->kind == COLUMN_TEXT &&
		    key_matches(profile->keys->columns[i], keys[i], pattern))
			return true;
	}
	return false;
}

/*
 * Return true if the pattern of a filter matches key number @at of an entry. A million entries
 * may have the same few names, but most functions and addresses are different.
 */
static bool filter_matches(struct zoom *zoom, const struct column *column, u64 key, size_t at)
{
	u64 *slot = &zoom->memo[at][(key >> 4) % ZOOM_MEMO];

	if (!key || key >> 63 || column->number)
		return key_matches(column, key, &zoom->pattern);
	if (*slot >> 1 != key)
		*slot = key << 1 | key_matches(column, key, &zoom->pattern);
	return *slot & 1;
}

/* Return true if the pattern of a filter matches the text of a key of an entry. */
static bool text_shows(struct zoom *zoom, const struct profile *profile, u32 entry)
{
	const u64 *keys = entries_keys(&profile->entries, entry);
	size_t i;

	for (i = 0; i < profile->keys->nr; i++) {
		if (profile->keys->columns[i]->kind == COLUMN_TEXT &&
		    filter_matches(zoom, profile->keys->columns[i], keys[i], i))
			return true;
	}
	return false;
}

/* Return true if an entry meets all conditions. */
bool zooms_show(struct zooms *zooms, const struct profile *profile, u32 entry)
{
	struct zoom *zoom;
	u32 i;

	for (i = 0; i < zooms->nr; i++) {
		zoom = &zooms->list[i];
		if (zoom->kind == ZOOM_KEY &&
		    entries_keys(&profile->entries, entry)[zoom->key] != zoom->keys[zoom->key])
			return false;
		if (zoom->kind == ZOOM_TEXT && !text_shows(zoom, profile, entry))
			return false;
	}
	return true;
}

/* Let a condition show the part of a call tree below a row. */
int zoom_set_node(struct zoom *zoom, const struct profile *profile, const struct item *item)
{
	const struct call_node *node;
	size_t at;

	memcpy(zoom->keys, entries_keys(&profile->entries, item->entry),
	       profile->keys->nr * sizeof(*zoom->keys));
	zoom->nr_path = 0;
	for (node = item->node; node && node->parent; node = node->parent)
		zoom->nr_path++;
	zoom->path = calloc(zoom->nr_path + 1, sizeof(*zoom->path));
	if (!zoom->path)
		return -ENOMEM;
	at = zoom->nr_path;
	for (node = item->node; node && node->parent; node = node->parent)
		zoom->path[--at] = node->key;
	return 0;
}

static bool find_entry(const struct zoom *zoom, const struct profile *profile, u32 *entry)
{
	size_t len = profile->keys->nr * sizeof(*zoom->keys);

	for (*entry = 0; *entry < profile->entries.nr; ++*entry) {
		if (!memcmp(entries_keys(&profile->entries, *entry), zoom->keys, len))
			return true;
	}
	return false;
}

/* Find the row of a condition that shows a part of a call tree. */
bool zoom_find_node(const struct zoom *zoom, const struct profile *profile, struct item *item)
{
	const struct call_node *node;
	size_t i;

	*item = (struct item){ 0 };
	if (!find_entry(zoom, profile, &item->entry))
		return false;
	node = profile_tree(profile, item->entry);
	for (i = 0; node && i < zoom->nr_path; i++) {
		node = node->first;
		while (node && node->key != zoom->path[i])
			node = node->next;
	}
	item->node = zoom->nr_path ? node : NULL;
	return node;
}

/* Return the description of a condition. @buf is used if it must be formatted. */
const char *zoom_text(const struct zoom *zoom, const struct profile *profile, char *buf,
		      size_t len)
{
	const struct column *column = profile->keys->columns[zoom->key];
	char text[COLUMN_TEXT_LEN];
	u64 key = zoom->keys[zoom->key];

	if (zoom->kind == ZOOM_TEXT)
		snprintf(buf, len, "/%s", zoom->pattern.text);
	else if (zoom->kind == ZOOM_NODE)
		snprintf(buf, len, "below %s", zoom->nr_path ?
			 printable(symbol_key_text(zoom->path[zoom->nr_path - 1], text,
						   sizeof(text))) : "the line");
	else if (column->kind == COLUMN_TEXT)
		snprintf(buf, len, "%s %s", column->word,
			 printable(column->text(key, text, sizeof(text))));
	else
		snprintf(buf, len, "%s %llu", column->word, key);
	return buf;
}

void zooms_free(struct zooms *zooms)
{
	while (zooms->nr)
		zooms_pop(zooms);
}
