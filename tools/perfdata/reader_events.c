// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - events of a perf.data, with their identifiers and names
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/load.h"
#include "perfdata/feature_cursor.h"
#include "perfdata/reader.h"

#define MAX_IDS		(1U << 20)

/*
 * Add an event with the attr @attr of @size bytes. Older and newer recorders write
 * attrs that are smaller or larger than struct perf_event_attr.
 */
int reader_add_event(struct reader *reader, const void *attr, size_t size)
{
	struct perf_event_attr known = { 0 };
	struct reader_event *events;

	if (size < PERF_ATTR_SIZE_VER0)
		return message_set(&reader->msg, -EBADMSG, "the attr of an event has only %zu bytes",
				   size);
	if (reader->nr_events == READER_MAX_EVENTS)
		return message_set(&reader->msg, -E2BIG, "the recording has too many events");
	/* Ignore fields at the end that a newer kernel added. */
	memcpy(&known, attr, size < sizeof(known) ? size : sizeof(known));
	events = reallocarray(reader->events, reader->nr_events + 1, sizeof(*events));
	if (!events)
		return -ENOMEM;
	reader->events = events;
	events += reader->nr_events++;
	layout_init(&events->layout, &known);
	events->has_parallelism = false;
	reader->defers |= events->layout.defers;
	snprintf(events->name, sizeof(events->name), "%u:%#llx", known.type, known.config);
	return 0;
}

/* Add an identifier of the event with index @event. */
int reader_add_id(struct reader *reader, u64 id, u32 event)
{
	struct reader_id *ids = reader->ids;
	size_t nr = reader->nr_ids;

	if (nr == MAX_IDS)
		return message_set(&reader->msg, -E2BIG, "the recording has too many identifiers");
	if (!(nr & (nr - 1))) {
		ids = reallocarray(ids, nr ? 2 * nr : 1, sizeof(*ids));
		if (!ids)
			return -ENOMEM;
		reader->ids = ids;
	}
	ids[reader->nr_ids++] = (struct reader_id){ id, event };
	reader->ids_sorted = false;
	return 0;
}

static int by_id(const void *a, const void *b)
{
	const struct reader_id *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

/* Return the event that has the identifier @id, or NULL. */
const struct reader_event *reader_find_event(struct reader *reader, u64 id)
{
	struct reader_id key = { .id = id }, *found;

	if (!reader->nr_ids)
		return NULL;
	if (!reader->ids_sorted)
		qsort(reader->ids, reader->nr_ids, sizeof(key), by_id);
	reader->ids_sorted = true;
	found = bsearch(&key, reader->ids, reader->nr_ids, sizeof(key), by_id);
	return found ? &reader->events[found->event] : NULL;
}

/*
 * Set the name of the event with identifier @ids[0] or, if @nr is 0, with index @place.
 */
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

/* Set the names of the events from feature EVENT_DESC. */
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
