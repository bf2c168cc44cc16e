/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - sort records by time
 *
 * The rings of the CPUs are written one after the other, so a file consists of
 * sorted runs. No record behind a FINISHED_ROUND is older than the newest record
 * before the previous FINISHED_ROUND, so records up to that time are ready. If a
 * file has no rounds or very long ones, the queue reaches its limit: the older half
 * is then ready, and a record that arrives too late after that is counted in @nr_late.
 */
#ifndef TPROF_QUEUE_H
#define TPROF_QUEUE_H

#include "base/types.h"
#include "perfdata/input.h"

/**
 * struct queued - a record to queue, or popped from the queue
 * @time:	its time
 * @event:	index in reader.events
 * @record:	the record; the queue has a reference to its chunk
 */
struct queued {
	u64	time;
	u32	event;
	struct input_record record;
};

/**
 * struct waiting - a record in the queue, as it is kept: millions may wait
 * @time:	its time
 * @chunk:	number of its chunk
 * @place:	its place in the chunk, and its event above CHUNK_BITS
 */
struct waiting {
	u64	time;
	u32	chunk;
	u32	place;
};

/* A number of an event must fit in struct waiting. */
#define QUEUE_MAX_EVENTS	(1U << (32 - CHUNK_BITS))

/**
 * struct lent_sample - a sample that is still in the queue
 * @data:	the record, header included
 * @time:	its time
 * @event:	index in reader.events
 */
struct lent_sample {
	const u8 *data;
	u64	time;
	u32	event;
};

/**
 * struct queue - records waiting to be returned in order of time
 * @pool:	the chunks that the records are in
 * @waiting:	the records; the first @sorted ones are in order
 * @scratch:	room to sort in
 * @room:	capacity of @waiting and @scratch
 * @nr:		number of entries in @waiting
 * @sorted:	number of entries in order
 * @first:	index of the next record to pop
 * @ready:	records before this index are ready
 * @last:	time of the last entry that is in order
 * @newest:	latest time that was queued
 * @round_end:	@newest at the last FINISHED_ROUND
 * @limit:	entries at which the older half becomes ready
 * @nr_late:	records queued after a newer record was popped
 * @gone:	latest time that was popped
 */
struct queue {
	struct chunk_pool *pool;
	struct waiting *waiting;
	struct waiting *scratch;
	size_t	room;
	size_t	nr;
	size_t	sorted;
	size_t	first;
	size_t	ready;
	u64	last;
	u64	newest;
	u64	round_end;
	size_t	limit;
	u64	nr_late;
	u64	gone;
};

void queue_init(struct queue *queue, struct chunk_pool *pool, size_t limit);
void queue_relieve(struct queue *queue);
bool queue_is_full(struct queue *queue);
int queue_push(struct queue *queue, const struct queued *record);
void queue_finish_round(struct queue *queue);
void queue_finish(struct queue *queue);
bool queue_pop(struct queue *queue, struct queued *record);
size_t queue_lend(const struct queue *queue, struct lent_sample *samples, size_t max);
u64 queue_offset(const struct queue *queue, size_t nr);
void queue_drop(struct queue *queue, size_t nr);
void queue_free(struct queue *queue);

/*
 * Add a record without a reference to its chunk. queue_is_full() has returned false, and
 * as many records have been added since as were free places. Inline, because a copy of
 * @queue then stays in registers while the records of a chunk are added.
 */
static inline void queue_add(struct queue *queue, const struct waiting *record)
{
	u64 time = record->time;

	queue->nr_late += time < queue->gone;
	if (time > queue->newest)
		queue->newest = time;
	if (queue->sorted == queue->nr && time >= queue->last) {
		queue->sorted++;
		queue->last = time;
	}
	queue->waiting[queue->nr++] = *record;
}

#endif /* TPROF_QUEUE_H */
