// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - sort records by time
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "perfdata/queue.h"

/* Set up an empty queue for at most @limit records. */
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

/* Return the end of the sorted run that begins at @from. */
static size_t run_end(const struct queued *at, size_t from, size_t nr)
{
	while (from + 1 < nr && at[from].time <= at[from + 1].time)
		from++;
	return from + 1;
}

/* Merge two adjacent runs. On equal times the record of the left run comes first. */
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
 * Natural merge sort: the queue consists of a few sorted runs, one per CPU and round,
 * so few passes suffice. Sorted input takes one.
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

/* Mark all records up to @time as ready for queue_pop(). */
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

/* Remove the popped records from the front. The caller has popped all ready ones. */
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

/* Mark the older half as ready, to limit the memory used. */
void queue_relieve(struct queue *queue)
{
	close_gap(queue);
	sort(queue);
	if (queue->nr)
		make_ready(queue, queue->waiting[queue->nr / 2].time);
}

/*
 * Queue a record and take a reference to its chunk.
 *
 * @queue: the queue; queue_pop() has returned false
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

/* Handle FINISHED_ROUND: the records before the previous one are ready. */
void queue_finish_round(struct queue *queue)
{
	close_gap(queue);
	make_ready(queue, queue->round_end);
	queue->round_end = queue->newest;
}

/* Mark all records as ready, at the end of the input. */
void queue_finish(struct queue *queue)
{
	close_gap(queue);
	make_ready(queue, ~0ULL);
}

/*
 * Pop the oldest ready record.
 *
 * @record: the result; the caller now owns the reference to its chunk
 *
 * Return false when no record is ready.
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
 * Free the queue and drop its references to chunks.
 *
 * @pool: the pool that the chunks are from
 */
void queue_free(struct queue *queue, struct chunk_pool *pool)
{
	for (; queue->first < queue->nr; queue->first++)
		chunk_put(pool, queue->waiting[queue->first].record.chunk);
	free(queue->waiting);
	free(queue->scratch);
	*queue = (struct queue){ 0 };
}
