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
 * struct queued - a record in the queue
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
 * struct queue - records waiting to be returned in order of time
 * @waiting:	the records; the first @sorted ones are in order
 * @scratch:	room to sort in
 * @room:	capacity of @waiting and @scratch
 * @nr:		number of entries in @waiting
 * @sorted:	number of entries in order
 * @first:	index of the next record to pop
 * @ready:	records before this index are ready
 * @newest:	latest time that was queued
 * @round_end:	@newest at the last FINISHED_ROUND
 * @limit:	entries at which the older half becomes ready
 * @nr_late:	records queued after a newer record was popped
 * @gone:	latest time that was popped
 */
struct queue {
	struct queued *waiting;
	struct queued *scratch;
	size_t	room;
	size_t	nr;
	size_t	sorted;
	size_t	first;
	size_t	ready;
	u64	newest;
	u64	round_end;
	size_t	limit;
	u64	nr_late;
	u64	gone;
};

void queue_init(struct queue *queue, size_t limit);
void queue_relieve(struct queue *queue);
int queue_push(struct queue *queue, const struct queued *record);
void queue_finish_round(struct queue *queue);
void queue_finish(struct queue *queue);
bool queue_pop(struct queue *queue, struct queued *record);
void queue_free(struct queue *queue, struct chunk_pool *pool);

#endif /* TPROF_QUEUE_H */
