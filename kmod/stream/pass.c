// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - one pass over the rings of all CPUs
 *
 * A pass first notes the end of every ring and then moves the records up to there.
 * So it ends even if CPUs write records faster than it moves them. A pass that
 * moved records appends PERF_RECORD_FINISHED_ROUND. It promises the reader that no
 * record after it is older than any record before the previous
 * PERF_RECORD_FINISHED_ROUND.
 *
 * design.md says why this holds, below the table of barriers.
 *
 * Context: the worker (stream.c), in process context, never twice at a time. Only the
 * worker uses @pass and removes records from the rings.
 */
#include <linux/cpumask.h>
#include <linux/perf_event.h>
#include <linux/sched.h>

#include "base/totals.h"
#include "stream/pass.h"
#include "stream/stream_types.h"

/* A record of the perf tool; no kernel header defines it. */
#define PERF_RECORD_FINISHED_ROUND	68

/*
 * Return the lane of a CPU, or NULL. No CPU has a lane before the first START or after
 * CONFIG.
 */
static struct tprof_lane *lane_of(struct tprof_stream *stream, int cpu)
{
	/*
	 * Races with tprof_stream_free(), which frees lanes only after the worker has
	 * ended.
	 */
	struct tprof_lane **lanes = READ_ONCE(stream->lanes);

	return lanes ? READ_ONCE(lanes[cpu]) : NULL;
}

static void count_kick(struct tprof_stream *stream)
{
	WRITE_ONCE(stream->kicks, stream->kicks + 1);
	tprof_totals_add(TPROF_TOTAL_KICKS, 1);
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
	 * Barrier J, pairs with tprof_stream_start(), which sets @is_running before it
	 * increases @starts; read them in the other order. If @is_running is false
	 * here, the session was stopped after start number @start. Then no CPU writes
	 * records any more, and this pass is the last one.
	 */
	stream->pass.start = smp_load_acquire(&stream->starts);
	stream->pass.is_last = !READ_ONCE(stream->is_running);
	/*
	 * Barrier E, pairs with tprof_stream_flush(): count the pass before noting the
	 * ends of the rings.
	 */
	smp_store_mb(stream->opened, stream->opened + 1);
	/* The ends are noted after TPROF_DOORBELL_URGENT is cleared: this is a full barrier. */
	if (test_and_clear_bit(TPROF_DOORBELL_URGENT, &stream->doorbell.bits) ||
	    test_bit(TPROF_DOORBELL_RUNG, &stream->doorbell.bits))
		count_kick(stream);

	for_each_possible_cpu(cpu) {
		lane = lane_of(stream, cpu);
		if (!lane)
			continue;
		/*
		 * The wait is short: a writer is not preemptible and copies up to 64
		 * KiB.
		 */
		while (tprof_ring_is_busy(&lane->ring))
			cond_resched();
		tprof_ring_note_end(&lane->ring);
	}
}

/* Return how many of the @bytes fit into @room without cutting a record. */
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
 * Move the records that the ring had when the pass began; return false if the fifo has
 * no space for all of them.
 */
static bool move_records(struct tprof_stream *stream, struct tprof_lane *lane)
{
	u32 bytes = tprof_ring_noted(&lane->ring);
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
 * If the ring is empty, report the samples of an event that the ring has
 * refused since the event's last stored sample. Return false if the fifo is
 * full.
 *
 * If the ring is not empty, a later pass reports the loss, because records in
 * the ring may be older than the loss. A CPU claims the loss before it stores
 * the next sample. If it does so after tprof_stats_find_loss(),
 * tprof_stats_claim() fails here. So a record that is pushed here comes between
 * the loss and the next sample, by its position and by its time.
 */
static bool report_loss(struct tprof_stream *stream, struct tprof_lane *lane, u32 index)
{
	struct tprof_counts *counts = &lane->counts[index];
	u64 record[TPROF_STREAM_LOST_BYTES / sizeof(u64)];
	struct tprof_loss loss;
	u32 bytes;

	if (!tprof_stats_find_loss(counts, &loss) || tprof_ring_is_busy(&lane->ring) ||
	    tprof_ring_used(&lane->ring))
		return true;
	/* Check for space before claiming: a claimed loss must be reported. */
	if (tprof_fifo_room(&stream->fifo) < sizeof(record))
		return false;
	bytes = stream->write_lost(stream, index, lane->cpu, loss.lost - loss.reported,
				   record);
	if (tprof_stats_claim(counts, &loss))
		push_to_fifo(stream, lane->cpu, record, bytes);
	return true;
}

/*
 * Report the losses of all events that no sample has reported yet. A sample
 * reports the losses before it, but the next sample of an event may come late.
 * Return false if the fifo is full.
 */
static bool report_losses(struct tprof_stream *stream, struct tprof_lane *lane)
{
	u32 i;

	/* All losses were reported. EVENT may be replacing events now that have lost samples. */
	if (tprof_stream_is_drained(stream))
		return true;
	for (i = 0; i < TPROF_LX_MAX_EVENTS; i++) {
		if (!report_loss(stream, lane, i))
			return false;
	}
	return true;
}

/*
 * Let the stalled events of the lane go on, unless the ring has filled up again: then the
 * next pass does. With half of the ring free, the events do not stall again at once.
 */
static void resume_lane(struct tprof_stream *stream, struct tprof_lane *lane)
{
	if (unlikely(READ_ONCE(lane->stalled)) && tprof_ring_is_half_free(&lane->ring))
		stream->resume(stream, lane);
}

/**
 * tprof_pass_has_stalls - report whether an event waits for room in any ring
 * @stream:	stream of a session
 *
 * Context: the worker.
 * Return: true if another pass may let an event go on.
 */
bool tprof_pass_has_stalls(struct tprof_stream *stream)
{
	struct tprof_lane *lane;
	int cpu;

	for_each_possible_cpu(cpu) {
		lane = lane_of(stream, cpu);
		if (lane && READ_ONCE(lane->stalled))
			return true;
	}
	return false;
}

static bool close_round(struct tprof_stream *stream)
{
	const struct perf_event_header record = {
		.type = PERF_RECORD_FINISHED_ROUND,
		.size = sizeof(record),
	};

	if (!stream->pass.has_moved) {
		WRITE_ONCE(stream->empty_rounds, stream->empty_rounds + 1);
		tprof_totals_add(TPROF_TOTAL_EMPTY_ROUNDS, 1);
		return true;
	}
	if (!push_to_fifo(stream, 0, &record, sizeof(record)))
		return false;
	WRITE_ONCE(stream->rounds, stream->rounds + 1);
	tprof_totals_add(TPROF_TOTAL_ROUNDS, 1);
	return true;
}

/* Continue the pass; return false if the fifo is full. */
static bool go_on(struct tprof_stream *stream)
{
	struct tprof_lane *lane;

	for (; stream->pass.cpu < nr_cpu_ids; stream->pass.cpu++) {
		lane = lane_of(stream, stream->pass.cpu);
		/*
		 * If @snapshot is 0, the ring was unused when the pass began, or it is new,
		 * as its lane may be. The next pass moves its records, reports its losses and
		 * ends its stalls.
		 */
		if (!lane || lane->ring.snapshot == 0)
			continue;
		if (!move_records(stream, lane) || !report_losses(stream, lane))
			return false;
		resume_lane(stream, lane);
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
		/*
		 * Barrier F, pairs with tprof_stream_is_drained(): fill the fifo before
		 * setting @drained.
		 */
		smp_store_release(&stream->drained, stream->pass.start);
		stream->has_news = true;
	}
	/* Barrier G, pairs with has_closed(): fill the fifo before setting @closed. */
	smp_store_release(&stream->closed, stream->opened);
}

/**
 * tprof_pass_run - continue the pass until it is complete
 * @stream:	stream of a session, with a pass under way
 *
 * If the fifo stays full, the doorbell stays rung. So a ring that reaches its watermark
 * does not restart the pass; the reader does when it has freed space.
 *
 * Barrier I: the reader frees space, then reads @is_stuck; the worker sets @is_stuck,
 * then reads the free space again. At least one of them sees the other's write, so they
 * cannot both wait for each other.
 *
 * Context: the worker.
 * Return: true if the pass is complete, false if the fifo stays full.
 */
bool tprof_pass_run(struct tprof_stream *stream)
{
	while (!go_on(stream)) {
		WRITE_ONCE(stream->is_stuck, true);
		/*
		 * Barrier I, pairs with offer_room(): set @is_stuck before reading the
		 * free space.
		 */
		smp_mb();
		if (!tprof_stream_has_room(stream))
			return false;
	}
	pass_end(stream);
	return true;
}
