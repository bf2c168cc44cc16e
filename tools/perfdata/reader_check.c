// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - count the records of a perf.data that are not understood
 */
#include <errno.h>

#include "perfdata/reader.h"
#include "perfdata/record_shape.h"

/*
 * perf has fewer than 100 types of records, so a type above MAX_TYPE means that the
 * file is damaged.
 */
#define MAX_TYPE	1024

/*
 * Count a record of an unknown type, which a newer recorder may have added. Return 0; -EBADMSG
 * if the type is above MAX_TYPE.
 */
int reader_unknown(struct reader *reader, const struct input_record *record)
{
	if (record->header.type > MAX_TYPE)
		return message_set(&reader->msg, -EBADMSG, "the record at %#llx has the unknown type %u",
				   record->offset, record->header.type);
	if (!reader->nr_unknown++)
		reader->unknown_type = record->header.type;
	return 0;
}

/*
 * Return true if a record has the form of its type, which is known. Otherwise, count it.
 *
 * @event: its event, NULL for a record that perf or tprof-lx wrote
 */
bool reader_is_well_formed(struct reader *reader, const struct input_record *record,
			   const struct reader_event *event)
{
	struct record_body body = { record->data, record->header.size, record->header.misc };
	size_t trailer = event ? event->layout.trailer : 0;
	const struct perf_event_attr *attr = event ? &event->layout.attr : NULL;

	body.size -= trailer < body.size ? trailer : body.size;
	if (record_shape_fits(&body, record->header.type, attr))
		return true;
	if (!reader->nr_malformed++)
		reader->malformed_at = record->offset;
	return false;
}
