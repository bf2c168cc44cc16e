// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the contents of features, read with care
 */
#include <stdio.h>
#include <string.h>

#include "base/load.h"
#include "perfdata/feature_text.h"
#include "perfdata/perfdata_read.h"

/**
 * feature_begin - look at a feature from its start
 * @set:	the features
 * @bit:	which one
 *
 * Return: a cursor; with nothing left when the feature is not there.
 */
struct feature_cursor feature_begin(const struct feature_set *set, u32 bit)
{
	struct feature_cursor cursor = { set->section[bit].data, set->section[bit].len };

	return cursor;
}

/**
 * feature_take - the next bytes
 * @cursor:	the rest of the feature
 * @len:	how many
 *
 * Return: where they are, or NULL when there are not so many.
 */
const u8 *feature_take(struct feature_cursor *cursor, size_t len)
{
	const u8 *at = cursor->at;

	if (len > cursor->left || !at)
		return NULL;
	cursor->at += len;
	cursor->left -= len;
	return at;
}

/**
 * feature_u32 - the next number of four bytes
 * @cursor:	the rest of the feature
 * @value:	the number
 *
 * Return: is there one?
 */
bool feature_u32(struct feature_cursor *cursor, u32 *value)
{
	const u8 *at = feature_take(cursor, sizeof(*value));

	if (at)
		*value = load_u32(at);
	return at;
}

/**
 * feature_u64 - the next number of eight bytes
 * @cursor:	the rest of the feature
 * @value:	the number
 *
 * Return: is there one?
 */
bool feature_u64(struct feature_cursor *cursor, u64 *value)
{
	const u8 *at = feature_take(cursor, sizeof(*value));

	if (at)
		*value = load_u64(at);
	return at;
}

/**
 * feature_string - the next text
 * @cursor:	the rest of the feature
 *
 * Return: the text, or NULL when there is none or it does not end.
 */
const char *feature_string(struct feature_cursor *cursor)
{
	const u8 *text;
	u32 len;

	if (!feature_u32(cursor, &len))
		return NULL;
	text = feature_take(cursor, len);
	return text && memchr(text, '\0', len) ? (const char *)text : NULL;
}

/* An event with identifiers is known by them, one without by its place. */
static void name_event(struct reader *reader, u32 place, const char *name, const u8 *ids, u32 nr)
{
	struct reader_event *event = NULL;
	const struct reader_event *found;

	if (nr) {
		found = reader_find_event(reader, load_u64(ids));
		if (found)
			event = reader->events + (found - reader->events);
	} else if (place < reader->nr_events) {
		event = &reader->events[place];
	}
	if (event)
		snprintf(event->name, sizeof(event->name), "%s", name);
}

/**
 * reader_name_events - call the events what the file calls them
 * @reader:	the reader, whose events and features are read
 */
void reader_name_events(struct reader *reader)
{
	struct feature_cursor cursor = feature_begin(&reader->features, PERFDATA_EVENT_DESC);
	u32 nr = 0, attr_size = 0, nr_ids, i;
	const char *name;
	const u8 *ids;

	if (!feature_u32(&cursor, &nr) || !feature_u32(&cursor, &attr_size))
		return;
	for (i = 0; i < nr; i++) {
		if (!feature_take(&cursor, attr_size) || !feature_u32(&cursor, &nr_ids))
			return;
		name = feature_string(&cursor);
		ids = feature_take(&cursor, nr_ids * sizeof(u64));
		if (!name || !ids)
			return;
		name_event(reader, i, name, ids, nr_ids);
	}
}
