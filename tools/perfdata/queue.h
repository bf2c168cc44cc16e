/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - records in the order of their times
 *
 * The rings of the CPUs are written one after the other, so a file is sorted
 * only in runs. FINISHED_ROUND promises that nothing behind it is older than
 * what stood before the round before it: up to there records can go. Where a
 * file has no rounds, or very long ones, the older half goes when the queue
 * has grown to its limit, and whatever comes too late after that is counted.
 */
#ifndef TPROF_QUEUE_H
#define TPROF_QUEUE_H

#include "base/types.h"
#include "perfdata/input.h"

/**
 * struct queued - a record that waits
 * @time:	when it was written
 * @event:	number of its event
 * @record:	the record; its chunk is held
 */
struct queued {
	u64	time;
	u32	event;
	struct input_record record;
};

/**
 * struct queue - records that wait for their turn
 * @waiting:	the records; those before @sorted are in order
 * @scratch:	room to sort in
 * @room:	how many fit into each
 * @nr:		how many wait
 * @sorted:	how many of them are in order
 * @first:	next to go
 * @ready:	up to here they may go
 * @newest:	the latest time that was queued
 * @round_end:	the latest time that stood before the last FINISHED_ROUND
 * @limit:	how many may wait
 * @nr_late:	records that came after younger ones had gone
 * @gone:	time of the last one that went
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
