// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - one pass over the rings of all CPUs
 *
 * A pass first notes the end of every ring and then moves the records up to there, so
 * it ends even if CPUs write records faster than it moves them. A pass that moved
 * records appends PERF_RECORD_FINISHED_ROUND. That record promises: no record after it
 * is older than any record before the previous PERF_RECORD_FINISHED_ROUND. The promise
 * holds because a pass moves every record with a time that was read before the pass
 * began (tprof_ring_is_busy()). So each record of pass n+1 is newer than the start of
 * pass n, and each record of pass n-1 is older.
 *
 * Context: the worker (stream.c), in process context, never twice at a time. Only the
 * worker uses @pass and removes records from the rings.
 */
#include <linux/cpumask.h>
#include <linux/perf_event.h>
#include <linux/sched.h>

#include "stream/pass.h"
#include "stream/stream_types.h"

/* A record of the perf tool; no kernel header defines it. */
#define PERF_RECORD_FINISHED_ROUND	68

/* Before the first START and after CONFIG no CPU has a lane: the pass is empty. */
static struct tprof_lane *lane_of(struct tprof_stream *stream, int cpu)
{
	/* Races with tprof_stream_free(), which waits for the worker. */
	struct tprof_lane **lanes = READ_ONCE(stream->lanes);

	return lanes ? READ_ONCE(lanes[cpu]) : NULL;
}

/**
 * tprof_pass_begin - begin a pass: note the end of every ring
 * @stream:	stream of a session, with no pass under way
 *
 * Context: the worker.
 */
void tprof_pass_begin(struct tprof_stream *stream)
{
	struct tprof_lane *lane;
	int cpu;

	stream->pass.cpu = 0;
	stream->pass.is_open = true;
	stream->pass.has_moved = false;
	/*
	 * (J) tprof_stream_start() sets is_running before it increases @starts, and
	 * this function reads them in the other order. So if is_running is false, no
	 * CPU writes any more since start number @start, and this pass is the last.
	 */
	stream->pass.start = smp_load_acquire(&stream->starts);
	stream->pass.is_last = !READ_ONCE(stream->is_running);
	/* E, pairs with tprof_stream_flush(), which waits for a later pass. */
	smp_store_mb(stream->opened, stream->opened + 1);
	if (test_bit(TPROF_DOORBELL_RUNG, &stream->doorbell.bits))
		WRITE_ONCE(stream->kicks, stream->kicks + 1);

	for_each_possible_cpu(cpu) {
		lane = lane_of(stream, cpu);
		if (!lane)
			continue;
		/* A short wait: the CPU cannot be preempted and copies up to 64 KiB. */
		while (tprof_ring_is_busy(&lane->ring))
			cond_resched();
		lane->snapshot = tprof_ring_head(&lane->ring);
	}
}

/* Return the length of the whole records in @bytes that fit into @room. */
static u32 whole_records(const void *records, u32 bytes, u32 room)
{
	const struct perf_event_header *header;
	u32 fits = 0;

	while (fits < bytes) {
		header = records + fits;
		if (fits + header->size > room)
			break;
		fits += header->size;
	}
	return fits;
}

static bool push_to_fifo(struct tprof_stream *stream, int cpu, const void *record,
			 u32 bytes)
{
	if (tprof_fifo_room(&stream->fifo) < bytes)
		return false;
	tprof_fifo_push(&stream->fifo, cpu, record, bytes);
	stream->pass.has_moved = true;
	stream->has_news = true;
	return true;
}

/*
 * Move the records that the ring had when the pass began; return false if the
 * fifo is full.
 */
static bool move_records(struct tprof_stream *stream, struct tprof_lane *lane)
{
	u32 bytes = lane->snapshot - lane->ring.tail;
	const void *records = tprof_ring_peek(&lane->ring);
	u32 room = tprof_fifo_room(&stream->fifo);
	bool is_all = bytes <= room;

	if (!is_all)
		bytes = whole_records(records, bytes, room);
	if (!bytes)
		return is_all;

	push_to_fifo(stream, lane->cpu, records, bytes);
	tprof_ring_consume(&lane->ring, bytes);
	return is_all;
}

/*
 * In the last pass, report samples that were refused after the last stored one. The
 * ring itself has a record of each earlier loss, where the samples are missing.
 */
static bool report_losses(struct tprof_stream *stream, struct tprof_lane *lane)
{
	u64 record[TPROF_STREAM_LOST_BYTES / sizeof(u64)];
	u32 i, bytes;
	u64 lost;

	if (!stream->pass.is_last)
		return true;
	for (i = 0; i < TPROF_LX_MAX_EVENTS; i++) {
		/* Check for space before claiming: a claimed loss must be reported. */
		if (tprof_fifo_room(&stream->fifo) < sizeof(record))
			return false;
		lost = tprof_stats_claim_lost(&lane->counts[i]);
		if (!lost)
			continue;
		bytes = stream->write_lost(stream, i, lane->cpu, lost, record);
		push_to_fifo(stream, lane->cpu, record, bytes);
	}
	return true;
}

static bool close_round(struct tprof_stream *stream)
{
	const struct perf_event_header record = {
		.type = PERF_RECORD_FINISHED_ROUND,
		.size = sizeof(record),
	};

	if (!stream->pass.has_moved) {
		WRITE_ONCE(stream->empty_rounds, stream->empty_rounds + 1);
		return true;
	}
	if (!push_to_fifo(stream, 0, &record, sizeof(record)))
		return false;
	WRITE_ONCE(stream->rounds, stream->rounds + 1);
	return true;
}

/* Continue the pass; return false if the fifo is full. */
static bool go_on(struct tprof_stream *stream)
{
	struct tprof_lane *lane;

	for (; stream->pass.cpu < nr_cpu_ids; stream->pass.cpu++) {
		lane = lane_of(stream, stream->pass.cpu);
		/*
		 * A lane that was added during the pass has no snapshot; the next
		 * pass moves its records.
		 */
		if (!lane || lane->snapshot == 0)
			continue;
		if (!move_records(stream, lane) || !report_losses(stream, lane))
			return false;
		cond_resched();
	}
	return close_round(stream);
}

static void pass_end(struct tprof_stream *stream)
{
	WRITE_ONCE(stream->is_stuck, false);
	stream->pass.is_open = false;
	clear_bit(TPROF_DOORBELL_RUNG, &stream->doorbell.bits);
	if (stream->pass.is_last) {
		/* F, pairs with tprof_stream_is_drained(): fill the fifo first. */
		smp_store_release(&stream->drained, stream->pass.start);
		stream->has_news = true;
	}
	/* G, pairs with has_closed(). */
	smp_store_release(&stream->closed, stream->opened);
}

/**
 * tprof_pass_run - continue the pass until it is complete
 * @stream:	stream of a session, with a pass under way
 *
 * If the fifo stays full, the doorbell stays rung, so that the reader restarts the
 * pass, and not a ring above its watermark. (I) The reader frees space, then reads
 * is_stuck; the worker sets is_stuck, then rereads the free space. At least one sees
 * the other's write, so neither sleeps forever.
 *
 * Context: the worker.
 * Return: true, or false if the fifo stays full.
 */
bool tprof_pass_run(struct tprof_stream *stream)
{
	while (!go_on(stream)) {
		WRITE_ONCE(stream->is_stuck, true);
		/* I, pairs with offer_room(). */
		smp_mb();
		if (!tprof_stream_has_room(stream))
			return false;
	}
	pass_end(stream);
	return true;
}
