// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - sort records by time
 */
#include <errno.h>
#include <linux/tprof_lx.h>
#include <stdlib.h>
#include <string.h>

#include "base/load.h"
#include "base/prefetch.h"
#include "base/sorted.h"
#include "perfdata/queue.h"

/* Bit of header.misc in a sample that waits for a deferred call chain (stitch.h). */
#define CONTINUES	TPROF_LX_MISC_CHAIN_DEFERRED

/* At each record, queue_lend() prefetches the AHEADth record after it. */
#define AHEAD		64

/* Set up an empty queue for at most @limit records in chunks of @pool. */
void queue_init(struct queue *queue, struct chunk_pool *pool, size_t limit)
{
	*queue = (struct queue){ .pool = pool, .limit = limit };
}

static int grow(struct queue *queue)
{
	size_t room = queue->room ? 2 * queue->room : 1024;
	struct waiting *waiting, *scratch;

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

/*
 * Move the records up to @time to the front of the queue, and return their number. These and the
 * later ones keep their order.
 */
static size_t split(struct queue *queue, u64 time)
{
	struct waiting *records = queue->waiting, *late = queue->scratch;
	size_t nr = 0, i, end = queue->nr;

	while (nr < end && records[nr].time <= time)
		nr++;
	while (end > nr && records[end - 1].time > time)
		end--;
	for (i = nr; i < end; i++) {
		if (records[i].time <= time)
			records[nr++] = records[i];
		else
			*late++ = records[i];
	}
	memcpy(&records[nr], queue->scratch, (end - nr) * sizeof(*records));
	return nr;
}

/*
 * Sort the records up to @time, which consist of sorted runs: one per CPU and round. Leave the
 * later ones behind them as they are: they are sorted together with records that have not
 * arrived yet.
 */
static void sort(struct queue *queue, u64 time)
{
	struct waiting *waiting = queue->waiting, *scratch = queue->scratch;
	size_t nr;

	if (queue->sorted == queue->nr)
		return;
	nr = split(queue, time);
	if (nr && sort_runs(waiting, scratch, nr)) {
		memcpy(scratch + nr, waiting + nr, (queue->nr - nr) * sizeof(*waiting));
		queue->waiting = scratch;
		queue->scratch = waiting;
	}
	queue->sorted = nr;
	queue->last = nr ? queue->waiting[nr - 1].time : 0;
}

/* Mark all records up to @time as ready for queue_pop(). */
static void make_ready(struct queue *queue, u64 time)
{
	sort(queue, time);
	queue->ready = sorted_above(queue->waiting, queue->ready, queue->sorted, time, time);
}

/* Remove the popped records from the front. The caller has popped all ready records. */
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
	if (!queue->nr)
		queue->last = 0;
}

/* Mark the older half of the records as ready, to limit the use of memory. */
void queue_relieve(struct queue *queue)
{
	close_gap(queue);
	sort(queue, ~0ULL);
	if (queue->nr)
		make_ready(queue, queue->waiting[queue->nr / 2].time);
}

/*
 * Return true if the next record fills @queue up to its limit or needs more memory.
 * The caller must then add that record with queue_push(), because queue_add()
 * handles neither. Call this only after queue_pop() has returned false.
 */
bool queue_is_full(struct queue *queue)
{
	close_gap(queue);
	return queue->nr == queue->room || queue->nr + 1 >= queue->limit;
}

/*
 * Queue a record and take a reference to its chunk. Call this only after queue_pop() has
 * returned false.
 */
int queue_push(struct queue *queue, const struct queued *record)
{
	struct chunk *chunk = record->record.chunk;
	u32 place = record->record.data - chunk->data;
	struct waiting waiting = {
		record->time, chunk->number, place | record->event << CHUNK_BITS
	};

	close_gap(queue);
	if (queue->nr == queue->room && grow(queue))
		return -ENOMEM;
	queue_add(queue, &waiting);
	chunk_get(chunk);
	if (queue->nr >= queue->limit)
		queue_relieve(queue);
	return 0;
}

/* Handle FINISHED_ROUND: mark the records up to @round_end as ready (queue.h). */
void queue_finish_round(struct queue *queue)
{
	close_gap(queue);
	make_ready(queue, queue->round_end);
	queue->round_end = queue->newest;
	queue->has_rounds = true;
}

/* Mark all records up to @time as ready: no record that is queued later is older. */
void queue_reach(struct queue *queue, u64 time)
{
	close_gap(queue);
	make_ready(queue, time);
}

/* Mark all records as ready, at the end of the input. */
void queue_finish(struct queue *queue)
{
	queue_reach(queue, ~0ULL);
}

static struct chunk *chunk_of(const struct queue *queue, const struct waiting *waiting)
{
	return queue->pool->all[waiting->chunk];
}

static u32 place_of(const struct waiting *waiting)
{
	return waiting->place & (CHUNK_SIZE - 1);
}

static const u8 *data_of(const struct queue *queue, const struct waiting *waiting)
{
	return chunk_of(queue, waiting)->data + place_of(waiting);
}

/*
 * Pop the oldest ready record.
 *
 * @record: the result; the caller takes over the reference to its chunk
 *
 * Return false when no record is ready.
 */
bool queue_pop(struct queue *queue, struct queued *record)
{
	struct input_record *found = &record->record;
	const struct waiting *waiting;

	if (queue->first == queue->ready)
		return false;
	waiting = &queue->waiting[queue->first++];
	record->time = waiting->time;
	record->event = waiting->place >> CHUNK_BITS;
	found->data = data_of(queue, waiting);
	found->chunk = chunk_of(queue, waiting);
	found->offset = chunk_offset(found->chunk, place_of(waiting));
	memcpy(&found->header, found->data, sizeof(found->header));
	if (record->time > queue->gone)
		queue->gone = record->time;
	return true;
}

/*
 * Fill in @samples with the next ready records. Stop after @max records, or before the
 * first one that is not a complete sample. The records stay in the queue until
 * queue_drop(). Return the number of samples.
 */
size_t queue_lend(const struct queue *queue, struct lent_sample *samples, size_t max)
{
	size_t i, nr = queue->ready - queue->first, left = nr;
	const struct waiting *from;
	const u8 *data;

	if (!nr)
		return 0;
	from = &queue->waiting[queue->first];
	nr = nr < max ? nr : max;
	for (i = 0; i < nr; i++) {
		if (i + AHEAD < left)
			prefetch(data_of(queue, &from[i + AHEAD]));
		data = data_of(queue, &from[i]);
		if (load_u32(data) != PERF_RECORD_SAMPLE ||
		    load_u16(data + offsetof(struct perf_event_header, misc)) & CONTINUES)
			break;
		samples[i] = (struct lent_sample){ data, from[i].time,
						   from[i].place >> CHUNK_BITS };
	}
	return i;
}

/* Return the file offset of samples[@nr] of the last queue_lend(). */
u64 queue_offset(const struct queue *queue, size_t nr)
{
	const struct waiting *waiting = queue->waiting + queue->first + nr;

	return chunk_offset(chunk_of(queue, waiting), place_of(waiting));
}

/* Pop @nr ready records and drop the references to their chunks. */
void queue_drop(struct queue *queue, size_t nr)
{
	const struct waiting *from;
	size_t i;

	if (!nr)
		return;
	from = &queue->waiting[queue->first];
	for (i = 0; i < nr; i++)
		chunk_put(queue->pool, chunk_of(queue, &from[i]));
	if (from[nr - 1].time > queue->gone)
		queue->gone = from[nr - 1].time;
	queue->first += nr;
}

/* Free the queue and drop its references to chunks. Keep @queue->nr_late. */
void queue_free(struct queue *queue)
{
	queue_drop(queue, queue->nr - queue->first);
	free(queue->waiting);
	free(queue->scratch);
	*queue = (struct queue){ .nr_late = queue->nr_late };
}
