// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the event and the time of a record, and the data after it
 */
#include <errno.h>

#include "base/load.h"
#include "perfdata/reader.h"

/* Return true if a record other than a sample is long enough for its trailer. */
static bool has_trailer(const struct layout *layout, const struct input_record *record)
{
	return record->header.size >= sizeof(record->header) + layout->trailer;
}

/*
 * Set *@event to the event of a record:
 * - the only event, if the file has a single one;
 * - the event with the record's identifier;
 * - NULL, for a sample with an unknown identifier;
 * - the first event, for any other record without a known identifier.
 *
 * Return 0; -EBADMSG if a sample has no identifier.
 */
int reader_record_event(struct reader *reader, const struct input_record *record,
			const struct reader_event **event)
{
	const struct layout *layout = &reader->events[0].layout;
	u16 size = record->header.size;
	u16 offset = layout->id;
	u64 id;

	*event = reader->events;
	if (reader->nr_events == 1)
		return 0;
	if (record->header.type != PERF_RECORD_SAMPLE) {
		if (!has_trailer(layout, record) || layout->trailer_id == NO_FIELD)
			return 0;
		offset = size - layout->trailer + layout->trailer_id;
	}
	if (!offset || offset + sizeof(id) > size)
		return -EBADMSG;
	id = load_u64(record->data + offset);
	*event = reader_find_event(reader, id);
	/* perf synthesizes records with identifier 0; use the first event for those. */
	if (!*event && record->header.type != PERF_RECORD_SAMPLE)
		*event = reader->events;
	return 0;
}

/* Return the time of a record, by the layout of its event. Return 0 if it has none. */
u64 reader_record_time(const struct layout *layout, const struct input_record *record)
{
	u16 size = record->header.size;
	u16 offset = layout->time;

	if (record->header.type != PERF_RECORD_SAMPLE) {
		if (!has_trailer(layout, record) || layout->trailer_time == NO_FIELD)
			return 0;
		offset = size - layout->trailer + layout->trailer_time;
	}
	if (!offset || offset + sizeof(u64) > size)
		return 0;
	return load_u64(record->data + offset);
}

/* Return the time of a record of the kernel. Return 0 if it is unknown. */
u64 reader_time(struct reader *reader, const struct input_record *record)
{
	const struct reader_event *event;
	u64 time = 0;

	if (!reader_record_event(reader, record, &event) && event)
		time = reader_record_time(&event->layout, record);
	return time == ~0ULL ? 0 : time;
}

/*
 * Return the length of the data after a HEADER_TRACING or AUXTRACE record. header.size does not
 * include that data.
 */
u64 reader_payload(const struct input_record *record)
{
	const u8 *body = record->data + sizeof(record->header);
	size_t len = record->header.size - sizeof(record->header);

	if (record->header.type == PERFDATA_HEADER_TRACING && len >= sizeof(u32))
		return ALIGN_UP((u64)load_u32(body), 8);
	if (record->header.type == PERFDATA_AUXTRACE && len >= sizeof(u64))
		return load_u64(body);
	return 0;
}
