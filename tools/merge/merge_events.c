// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx merge - the events of the output
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/printable.h"
#include "cli/say.h"
#include "merge/merge.h"

/* Return the attr without the bits that do not change what a sample is. */
static struct perf_event_attr plain_attr(const struct perf_event_attr *attr)
{
	struct perf_event_attr plain = *attr;

	plain.size = PERFDATA_ATTR_SIZE;
	plain.disabled = 0;
	plain.inherit = 0;
	plain.inherit_stat = 0;
	plain.enable_on_exec = 0;
	plain.pinned = 0;
	plain.watermark = 0;
	plain.wakeup_events = 0;
	return plain;
}

/* The period of an event does not matter if each sample has its own. */
static bool is_event(const struct perfdata_event *event, const char *name,
		     const struct perf_event_attr *attr)
{
	struct perf_event_attr other = event->attr;

	if (attr->sample_type & PERF_SAMPLE_PERIOD) {
		other.freq = attr->freq;
		other.sample_period = attr->sample_period;
	}
	return !strcmp(event->name, name) && !memcmp(&other, attr, PERFDATA_ATTR_SIZE);
}

/* Find or add the event of the output that is @event. Set *@merged to its index. */
static int merge_event(struct merge *merge, size_t *room, const struct reader_event *event,
		       u32 *merged)
{
	struct perf_event_attr attr = plain_attr(&event->layout.attr);
	struct perfdata_event *events;
	u32 i;

	for (i = 0; i < merge->nr_events; i++) {
		if (is_event(&merge->events[i], event->name, &attr))
			break;
	}
	*merged = i;
	if (i < merge->nr_events)
		return 0;
	events = array_grow(merge->events, i, room, sizeof(*events));
	if (!events)
		return -ENOMEM;
	merge->events = events;
	events[i] = (struct perfdata_event){ .attr = attr, .id = i + 1, .name = event->name };
	merge->nr_events++;
	return 0;
}

static struct words_at words_of(const struct layout *layout,
				u16 (*word)(const struct layout *layout, u64 field))
{
	return (struct words_at){ word(layout, PERF_SAMPLE_TID), word(layout, PERF_SAMPLE_TIME),
				  word(layout, PERF_SAMPLE_ID),
				  word(layout, PERF_SAMPLE_IDENTIFIER) };
}

/* Allocate the events of all recordings. */
static int allocate_events(struct merge *merge)
{
	struct source_event *events;
	size_t nr = 0;
	u32 i;

	for (i = 0; i < merge->nr_sources; i++)
		nr += merge->sources[i].reader.nr_events;
	events = calloc(nr + 1, sizeof(*events));
	if (!events)
		return -ENOMEM;
	merge->source_events = events;
	for (i = 0; i < merge->nr_sources; i++) {
		merge->sources[i].events = events;
		merge->sources[i].nr_events = merge->sources[i].reader.nr_events;
		events += merge->sources[i].nr_events;
	}
	return 0;
}

static int read_events(struct merge *merge, size_t *room, struct source *source)
{
	const struct reader *reader = &source->reader;
	const struct layout *layout;
	u32 i;
	int err = 0;

	for (i = 0; i < reader->nr_events && !err; i++) {
		layout = &reader->events[i].layout;
		source->events[i].sample = words_of(layout, layout_sample_word);
		source->events[i].trailer = words_of(layout, layout_trailer_word);
		err = merge_event(merge, room, &reader->events[i], &source->events[i].merged);
	}
	return err;
}

/* Return the first recording that has event @merged of the output. */
static const struct source *source_of(const struct merge *merge, u32 merged)
{
	u32 i, k;

	for (i = 0; i < merge->nr_sources; i++) {
		for (k = 0; k < merge->sources[i].nr_events; k++) {
			if (merge->sources[i].events[k].merged == merged)
				return &merge->sources[i];
		}
	}
	return NULL;
}

static bool has_identifier(const struct perfdata_event *event)
{
	return event->attr.sample_type & PERF_SAMPLE_IDENTIFIER;
}

/* The end of a recording, where the names of events are, may be missing. */
static bool has_names(const struct source *source)
{
	return source->reader.features.section[PERFDATA_EVENT_DESC].len;
}

/* Print why an event without identifiers is not the only one. Return STATUS_FAILED. */
static int say_no_identifier(const struct merge *merge, u32 event)
{
	const struct source *source = source_of(merge, event), *other;
	const char *name = merge->events[event].name;
	u32 i;

	for (i = 0; i < merge->nr_events; i++) {
		other = source_of(merge, i);
		if (!has_names(other))
			return say_error("%s lacks the names of its events, because it is incomplete; leave it out",
					 printable(other->name));
		if (i != event && !strcmp(merge->events[i].name, name) && other != source)
			return say_error("%s and %s have event '%s' with different options; record both alike",
					 printable(i < event ? other->name : source->name),
					 printable(i < event ? source->name : other->name),
					 printable(name));
	}
	return say_error("%s has no identifiers in records of event '%s'; record with perf's --sample-identifier",
			 printable(source->name), printable(name));
}

/*
 * Readers, perf among them, need an identifier at the same place in the records of all events,
 * and equal counts in all samples.
 */
static int check_events(const struct merge *merge)
{
	const struct perf_event_attr *first = &merge->events[0].attr, *attr;
	u32 i;

	for (i = 0; i < merge->nr_events && merge->nr_events > 1; i++) {
		attr = &merge->events[i].attr;
		if (!has_identifier(&merge->events[i]))
			return say_no_identifier(merge, i);
		if (attr->read_format != first->read_format ||
		    attr->sample_id_all != first->sample_id_all)
			return say_error("records of event '%s' in %s and '%s' in %s differ; merge these recordings apart",
					 printable(merge->events[0].name),
					 printable(source_of(merge, 0)->name),
					 printable(merge->events[i].name),
					 printable(source_of(merge, i)->name));
	}
	return STATUS_OK;
}

/*
 * Make the events of the output. Events with the same name and attr are one. Return
 * STATUS_OK, or print a message and return STATUS_FAILED.
 */
int merge_events(struct merge *merge)
{
	int err = allocate_events(merge);
	size_t room = 0;
	u32 i;

	for (i = 0; i < merge->nr_sources && !err; i++)
		err = read_events(merge, &room, &merge->sources[i]);
	return err ? say_failure(err, "merge") : check_events(merge);
}
