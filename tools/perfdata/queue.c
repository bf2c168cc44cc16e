// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - records in the order of their times
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "perfdata/queue.h"

/* An empty queue. */
void queue_init(struct queue *queue, size_t limit)
{
	*queue = (struct queue){ .limit = limit };
}

static int grow(struct queue *queue)
{
	size_t room = queue->room ? 2 * queue->room : 1024;
	struct queued *waiting, *scratch;

	waiting = reallocarray(queue->waiting, room, sizeof(*waiting));
	if (!waiting)
		return -ENOMEM;
	queue->waiting = waiting;
	scratch = reallocarray(queue->scratch, room, sizeof(*scratch));
	if (!scratch)
		return -ENOMEM;
	queue->scratch = scratch;
	queue->room = room;
	return 0;
}

/* Where the run that begins at @from ends. */
static size_t run_end(const struct queued *at, size_t from, size_t nr)
{
	while (from + 1 < nr && at[from].time <= at[from + 1].time)
		from++;
	return from + 1;
}

/* Merge two neighbouring runs; of equal times the left one goes first. */
static void merge(const struct queued *from, size_t left, size_t middle, size_t right,
		  struct queued *to)
{
	size_t a = left, b = middle, out;

	for (out = left; out < right; out++) {
		if (a < middle && (b == right || from[a].time <= from[b].time))
			to[out] = from[a++];
		else
			to[out] = from[b++];
	}
}

/*
 * What waits is a few runs, one for each CPU and round, so merging the runs
 * that are there takes few passes and costs nothing for what is in order.
 */
static void sort(struct queue *queue)
{
	struct queued *from = queue->waiting, *to = queue->scratch, *swap;
	size_t nr = queue->nr, left, middle, right, runs;

	if (queue->sorted == nr)
		return;
	do {
		runs = 0;
		for (left = 0; left < nr; left = right, runs++) {
			middle = run_end(from, left, nr);
			right = middle < nr ? run_end(from, middle, nr) : nr;
			merge(from, left, middle, right, to);
		}
		swap = from;
		from = to;
		to = swap;
	} while (runs > 1);
	queue->waiting = from;
	queue->scratch = to;
	queue->sorted = nr;
}

/* Let go of all records up to @time. */
static void make_ready(struct queue *queue, u64 time)
{
	size_t low = queue->ready, high = queue->nr, middle;

	sort(queue);
	while (low < high) {
		middle = low + (high - low) / 2;
		if (queue->waiting[middle].time <= time)
			low = middle + 1;
		else
			high = middle;
	}
	queue->ready = low;
}

/* Records that have gone are taken out when nothing more may go. */
static void close_gap(struct queue *queue)
{
	if (!queue->first)
		return;
	memmove(queue->waiting, queue->waiting + queue->first,
		(queue->nr - queue->first) * sizeof(*queue->waiting));
	queue->nr -= queue->first;
	queue->sorted -= queue->first;
	queue->ready -= queue->first;
	queue->first = 0;
}

/* Let the older half go, for want of room. */
void queue_relieve(struct queue *queue)
{
	close_gap(queue);
	sort(queue);
	if (queue->nr)
		make_ready(queue, queue->waiting[queue->nr / 2].time);
}

/*
 * Let a record wait for its turn.
 *
 * @queue: the queue, from which nothing can be popped now
 * @record: the record, whose chunk the queue then holds
 */
int queue_push(struct queue *queue, const struct queued *record)
{
	close_gap(queue);
	if (queue->nr == queue->room && grow(queue))
		return -ENOMEM;
	if (record->time < queue->gone)
		queue->nr_late++;
	if (record->time > queue->newest)
		queue->newest = record->time;
	if (queue->sorted == queue->nr &&
	    (!queue->nr || queue->waiting[queue->nr - 1].time <= record->time))
		queue->sorted++;
	queue->waiting[queue->nr++] = *record;
	chunk_get(record->record.chunk);
	if (queue->nr >= queue->limit)
		queue_relieve(queue);
	return 0;
}

/* A FINISHED_ROUND was met. */
void queue_finish_round(struct queue *queue)
{
	close_gap(queue);
	make_ready(queue, queue->round_end);
	queue->round_end = queue->newest;
}

/* Nothing more will come. */
void queue_finish(struct queue *queue)
{
	close_gap(queue);
	make_ready(queue, ~0ULL);
}

/*
 * Take the next record that may go.
 *
 * @record: the record; the caller holds its chunk now
 *
 * Return false when none may go yet.
 */
bool queue_pop(struct queue *queue, struct queued *record)
{
	if (queue->first == queue->ready)
		return false;
	*record = queue->waiting[queue->first++];
	if (record->time > queue->gone)
		queue->gone = record->time;
	return true;
}

/*
 * Give the memory back.
 *
 * @pool: where the chunks of its records are from
 */
void queue_free(struct queue *queue, struct chunk_pool *pool)
{
	for (; queue->first < queue->nr; queue->first++)
		chunk_put(pool, queue->waiting[queue->first].record.chunk);
	free(queue->waiting);
	free(queue->scratch);
	*queue = (struct queue){ 0 };
}
