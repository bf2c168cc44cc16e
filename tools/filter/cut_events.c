// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx filter - the events and features of the output
 */
#include <errno.h>
#include <stdlib.h>

#include "filter/cut.h"

/* Features of perf that describe other parts of the file, or events by their position. */
#define GROUP_DESC	17
#define AUXTRACE	18

/*
 * Add the identifiers of event @number to @ids, from @nr on. Return how many there are then. The
 * first call of reader_find_event() has sorted them, or there was none.
 */
static size_t add_ids(const struct reader *reader, u32 number, u64 *ids, size_t nr)
{
	size_t i;

	for (i = 0; i < reader->nr_ids; i++) {
		if (reader->ids[i].event == number)
			ids[nr++] = reader->ids[i].id;
	}
	return nr;
}

static void add_event(struct cut *cut, u32 number, size_t *nr_ids)
{
	const struct reader_event *event = &cut->reader.events[number];
	struct perfdata_event *own = &cut->events[cut->nr_events];
	const u64 *ids = cut->ids + *nr_ids;
	size_t nr = add_ids(&cut->reader, number, cut->ids, *nr_ids) - *nr_ids;

	*own = (struct perfdata_event){ .attr = event->layout.attr, .name = event->name };
	own->attr.size = PERFDATA_ATTR_SIZE;
	if (nr) {
		own->id = ids[0];
		own->more_ids = ids + 1;
		own->nr_more_ids = nr - 1;
	}
	*nr_ids += nr;
	cut->numbers[number] = cut->nr_events++;
}

/* Make the events of the output. Return 0, or -ENOENT if the filter takes none. */
int cut_events(struct cut *cut)
{
	const struct reader *reader = &cut->reader;
	size_t nr_ids = 0;
	u32 i;

	cut->events = calloc(reader->nr_events + 1, sizeof(*cut->events));
	cut->numbers = calloc(reader->nr_events + 1, sizeof(*cut->numbers));
	cut->ids = calloc(reader->nr_ids + 1, sizeof(*cut->ids));
	if (!cut->events || !cut->numbers || !cut->ids)
		return -ENOMEM;
	for (i = 0; i < reader->nr_events; i++) {
		cut->numbers[i] = EVENT_DROPPED;
		if (filter_takes_event(cut->filter, reader->events[i].name))
			add_event(cut, i, &nr_ids);
	}
	return cut->nr_events ? 0 : -ENOENT;
}

/* Return true if the output has the feature @bit of the recording as it is. */
static bool is_kept(const struct cut *cut, u32 bit)
{
	switch (bit) {
	case PERFDATA_EVENT_DESC:
	case PERFDATA_SAMPLE_TIME:
	case PERFDATA_COMPRESSED:
	case AUXTRACE:
	case PERFDATA_DIR_FORMAT:
		return false;
	case GROUP_DESC:
		return cut->nr_events == cut->reader.nr_events;
	default:
		return true;
	}
}

/* Make the features of the output. Return 0 or -ENOMEM. */
int cut_features(const struct cut *cut, struct feature_set *features)
{
	const struct bytes *section;
	u32 bit;

	for (bit = 0; bit < PERFDATA_NR_FEATURES; bit++) {
		section = &cut->reader.features.section[bit];
		if (is_kept(cut, bit))
			bytes_add(&features->section[bit], section->data, section->len);
	}
	features_add_events(features, cut->events, cut->nr_events);
	if (cut->samples)
		features_add_times(features, cut->first, cut->last);
	return features_err(features);
}
