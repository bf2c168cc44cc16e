/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - sort records by time
 *
 * A recorder works in rounds. In each round, it writes the records of every CPU's ring,
 * one ring after the other, and then a FINISHED_ROUND record. So a file consists of
 * sorted runs. Let T be the time of the newest record before a FINISHED_ROUND. No record
 * after the next FINISHED_ROUND is older than T. So at that next FINISHED_ROUND, all
 * records up to T become ready: they can be popped in order.
 *
 * If a file has no rounds, reader_horizon.c may know how old later records are. If it does not, or
 * if rounds are very long, the queue reaches its limit. The older
 * half of the queue then becomes ready. After that, a new record may be older than a
 * popped one; @nr_late counts such records.
 */
#ifndef TPROF_QUEUE_H
#define TPROF_QUEUE_H

#include "base/types.h"
#include "perfdata/input.h"
#include "perfdata/sort_runs.h"

/**
 * struct queued - a record for queue_push() or from queue_pop()
 * @time:	its time
 * @event:	index in reader.events
 * @record:	the record
 */
struct queued {
	u64	time;
	u32	event;
	struct input_record record;
};

/* The index of an event must fit in the upper bits of waiting.place. */
#define QUEUE_MAX_EVENTS	(1U << (32 - CHUNK_BITS))

/**
 * struct lent_sample - a sample from queue_lend(), which is still in the queue
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
 * @waiting:	the records
 * @scratch:	memory to sort in
 * @room:	capacity of @waiting and @scratch
 * @nr:		number of entries in @waiting
 * @sorted:	number of entries at the start of @waiting that are in order of time
 * @first:	index of the next record to pop
 * @ready:	index after the last record that is ready
 * @last:	time of the last of the @sorted entries
 * @newest:	latest time of a queued record
 * @round_end:	@newest at the last FINISHED_ROUND
 * @has_rounds:	there was a FINISHED_ROUND
 * @limit:	number of entries at which the older half becomes ready
 * @nr_late:	number of records that were older than a popped record when they were
 *		queued
 * @gone:	latest time of a popped record
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
	bool	has_rounds;
	size_t	limit;
	u64	nr_late;
	u64	gone;
};

void queue_init(struct queue *queue, struct chunk_pool *pool, size_t limit);
void queue_relieve(struct queue *queue);
bool queue_is_full(struct queue *queue);
int queue_push(struct queue *queue, const struct queued *record);
void queue_finish_round(struct queue *queue);
void queue_reach(struct queue *queue, u64 time);
void queue_finish(struct queue *queue);
bool queue_pop(struct queue *queue, struct queued *record);
size_t queue_lend(const struct queue *queue, struct lent_sample *samples, size_t max);
u64 queue_offset(const struct queue *queue, size_t nr);
void queue_drop(struct queue *queue, size_t nr);
void queue_free(struct queue *queue);

/*
 * Add a record. The caller makes sure that @queue->nr < @queue->room, applies
 * @queue->limit, and takes a reference to the chunk. The function is inline so that
 * a caller that adds many records can keep the members of @queue in registers.
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
