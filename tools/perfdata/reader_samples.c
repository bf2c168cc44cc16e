// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - queue the samples of a perf.data in bulk
 *
 * Nearly all records are samples, one directly after another. reader_queue_samples()
 * queues many of them at a time, with the same result as one call of read_one() for
 * each.
 */
#include "base/load.h"
#include "perfdata/reader.h"

/**
 * struct run - consecutive samples in a chunk
 * @reader:	the reader
 * @id:		identifier of the last sample
 * @event:	event with @id, or NULL
 * @has_id:	@id and @event are valid
 */
struct run {
	struct reader *reader;
	u64	id;
	const struct reader_event *event;
	bool	has_id;
};

/* Return the event of a sample, or NULL to leave the sample to read_one(). */
static inline const struct reader_event *event_of(struct run *run, const u8 *sample, u16 size)
{
	const struct reader *reader = run->reader;
	u16 offset = reader->events[0].layout.id;
	u64 id;

	if (reader->nr_events == 1)
		return reader->events;
	if (!offset || offset + sizeof(id) > size)
		return NULL;
	id = load_u64(sample + offset);
	if (!run->has_id || run->id != id) {
		run->event = reader_find_event(run->reader, id);
		run->id = id;
		run->has_id = true;
	}
	return run->event;
}

/* Return the time of a sample, or 0 to leave the sample to read_one(). */
static inline u64 time_of(const struct reader_event *event, const u8 *sample, u16 size)
{
	u16 offset = event ? event->layout.time : 0;
	u64 time;

	if (!offset || offset + sizeof(time) > size)
		return 0;
	time = load_u64(sample + offset);
	return time == ~0ULL ? 0 : time;
}

static inline u16 size_of(const u8 *record)
{
	return load_u16(record + offsetof(struct perf_event_header, size));
}

/*
 * Queue the next samples of the current chunk. Stop when the queue is full, or before a
 * record that read_one() must handle: a record that is not a sample, a record that
 * continues in the next chunk, or a sample without an event or a time. Return false if
 * no sample was queued.
 */
bool reader_queue_samples(struct reader *reader)
{
	struct run run = { .reader = reader };
	struct input *input = &reader->input;
	struct chunk *chunk = input->current;
	const struct reader_event *event;
	struct queue queue;
	const u8 *at, *end;
	size_t begun, most;
	u16 size;
	u64 time;

	if (!chunk || !reader->nr_events || reader->unpack.holding || queue_is_full(&reader->queue))
		return false;
	/*
	 * Work on a local copy, so that the compiler can keep its members in
	 * registers.
	 */
	queue = reader->queue;
	begun = queue.nr;
	most = queue.room < queue.limit - 1 ? queue.room : queue.limit - 1;
	at = chunk->data + input->parsed;
	end = chunk->data + chunk->len;
	while (queue.nr < most && end - at >= (ptrdiff_t)sizeof(struct perf_event_header)) {
		size = size_of(at);
		if (load_u32(at) != PERF_RECORD_SAMPLE || size > end - at)
			break;
		event = event_of(&run, at, size);
		time = time_of(event, at, size);
		if (!time)
			break;
		queue_add(&queue, &(struct waiting){ time, chunk->number,
			  (u32)(at - chunk->data) | (u32)(event - reader->events) << CHUNK_BITS });
		at += size;
	}
	chunk->users += queue.nr - begun;
	reader->queue = queue;
	input_take(input, at - chunk->data - input->parsed);
	return queue.nr > begun;
}
