// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - let records out of the queue in a file without FINISHED_ROUND
 *
 * Not every recorder writes FINISHED_ROUND. Without it, a record may be as old as the first one
 * until the end, so the queue would have to keep all of them. But most such files are nearly in
 * order of time. So if many records wait and there was no round yet, the times of all records in
 * the rest of the file are read first. From then on, a waiting record is ready if no record in
 * the rest is older. This is exact: if the file is not in order, records wait as long as they
 * must.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "perfdata/reader.h"

/* Number of chunks with waiting records (16 MiB) at which the rest of the file is looked at. */
#define PATIENCE	64

/* Length of a step of the rest. */
#define STEP		CHUNK_SIZE

#define BUFFER_SIZE	(1U << 20)

/**
 * struct scan - the rest of a file, which is being looked at
 * @reader:	the reader
 * @offset:	offset in the file of the next record
 * @end:	end of the records
 * @buffer:	bytes of the file from @begin on
 * @begin:	offset in the file of @buffer
 * @len:	number of bytes in @buffer
 */
struct scan {
	struct reader *reader;
	u64	offset;
	u64	end;
	u8	*buffer;
	u64	begin;
	size_t	len;
};

/* Read the part of the file from @offset on. Return false at its end, or if that fails. */
static bool fill(struct scan *scan)
{
	u64 room = scan->end - scan->offset;
	ssize_t len;

	if (room > BUFFER_SIZE)
		room = BUFFER_SIZE;
	do {
		len = pread(scan->reader->input.fd, scan->buffer, room, scan->offset);
	} while (len < 0 && errno == EINTR);
	scan->begin = scan->offset;
	scan->len = len > 0 ? len : 0;
	return len > 0;
}

/* Let @record be the record at @offset, if the buffer has all of it. */
static bool is_in_buffer(const struct scan *scan, struct input_record *record)
{
	size_t at = scan->offset - scan->begin;

	if (at > scan->len || scan->len - at < sizeof(record->header))
		return false;
	record->data = scan->buffer + at;
	memcpy(&record->header, record->data, sizeof(record->header));
	return record->header.size <= scan->len - at;
}

/*
 * Get the next record. Return false at the end of the file, and before a record that is cut off or
 * has an impossible size: reading ends there, too.
 */
static bool next(struct scan *scan, struct input_record *record)
{
	if (!is_in_buffer(scan, record) && (!fill(scan) || !is_in_buffer(scan, record)))
		return false;
	record->offset = scan->offset;
	scan->offset += record->header.size;
	return record->header.size >= sizeof(record->header);
}

/* Skip the data after a record. Return false if no record is behind it. */
static bool skip(struct scan *scan, u64 len)
{
	if (len >= scan->end - scan->offset)
		return false;
	scan->offset += len;
	return true;
}

/* Note the time of a record. */
static void note(struct horizon *horizon, u64 offset, u64 time)
{
	u64 *earliest = &horizon->times[(offset - horizon->base) / STEP];

	if (time && time < *earliest)
		*earliest = time;
}

/*
 * Note the times of all records. Return false if that does not help: the records are compressed,
 * or there are rounds.
 */
static bool note_all(struct scan *scan, struct horizon *horizon)
{
	struct input_record record = { 0 };

	while (next(scan, &record)) {
		switch (record.header.type) {
		case PERFDATA_FINISHED_ROUND:
		case PERFDATA_COMPRESSED_DATA:
		case PERFDATA_COMPRESSED_DATA2:
			return false;
		}
		if (record.header.type < PERFDATA_USER_TYPES)
			note(horizon, record.offset, reader_time(scan->reader, &record));
		else if (!skip(scan, reader_payload(&record)))
			break;
	}
	return true;
}

/* Make each time the earliest one from there to the end. */
static void look_back(struct horizon *horizon)
{
	size_t i;

	for (i = horizon->nr - 1; i--;) {
		if (horizon->times[i + 1] < horizon->times[i])
			horizon->times[i] = horizon->times[i + 1];
	}
}

/* Look at the records from input.offset on. If there is no memory, go on without. */
static void look_ahead(struct reader *reader)
{
	struct horizon *horizon = &reader->horizon;
	struct scan scan = { .reader = reader, .offset = reader->input.offset };
	u64 left = reader->size - scan.offset;
	size_t i;

	scan.end = scan.offset + (left < reader->input.left ? left : reader->input.left) +
		   reader->input.current->len - reader->input.parsed;
	if (scan.end > reader->size)
		scan.end = reader->size;
	horizon->base = scan.offset;
	horizon->nr = (scan.end - scan.offset) / STEP + 1;
	horizon->times = malloc(horizon->nr * sizeof(*horizon->times));
	scan.buffer = calloc(1, BUFFER_SIZE);
	for (i = 0; i < horizon->nr && horizon->times; i++)
		horizon->times[i] = ~0ULL;
	if (horizon->times && scan.buffer && note_all(&scan, horizon)) {
		look_back(horizon);
		queue_reach(&reader->queue, horizon->times[0]);
	} else {
		free(horizon->times);
		horizon->times = NULL;
	}
	free(scan.buffer);
}

/*
 * Let records out of the queue that are older than all in the rest of the file. Return true if
 * there may be such records.
 */
bool reader_pass_horizon(struct reader *reader)
{
	struct horizon *horizon = &reader->horizon;
	size_t at;

	if (!horizon->is_tried) {
		if (reader->pool.nr_used < PATIENCE)
			return false;
		horizon->is_tried = true;
		if (!reader->queue.has_rounds && !reader->unpack.holding &&
		    reader->input.current && reader->input.offset < reader->size)
			look_ahead(reader);
		return horizon->times;
	}
	if (!horizon->times)
		return false;
	at = (reader->input.offset - horizon->base) / STEP;
	if (at == horizon->at || at >= horizon->nr)
		return false;
	horizon->at = at;
	queue_reach(&reader->queue, horizon->times[at]);
	return true;
}
