// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - one pass over the rings of all CPUs
 *
 * It begins by noting the end of every ring and moves what is there up to that
 * mark, so it ends even if writers are faster. A PERF_RECORD_FINISHED_ROUND
 * closes a pass that moved something. It promises that nothing after it is
 * older than anything before the previous one, and that is kept: a pass holds
 * every record whose time was taken before it began (tprof_ring_is_busy()), so
 * what the next one holds is newer than the beginning of this one, which is
 * newer than all of the one before.
 *
 * Context: the worker (stream.c), in process context, never twice at a time; all
 * of @pass and the consumer's side of the rings is its own.
 */
#include <linux/cpumask.h>
#include <linux/perf_event.h>
#include <linux/sched.h>

#include "stream/pass.h"
#include "stream/stream_types.h"

/* A record of the perf tool, not of the kernel: no header of its defines it. */
#define PERF_RECORD_FINISHED_ROUND	68

/* None of any CPU before the first START and after CONFIG: an empty pass. */
static struct tprof_lane *lane_of(struct tprof_stream *stream, int cpu)
{
	/* Races with tprof_stream_free(), which waits for the worker. */
	struct tprof_lane **lanes = READ_ONCE(stream->lanes);

	return lanes ? READ_ONCE(lanes[cpu]) : NULL;
}

/**
 * tprof_pass_begin - mark how far a pass will go
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
	 * Not running means that nobody writes, unless tprof_stream_start() is
	 * at work: it sets is_running first, so that what we would then close
	 * is the start before (J).
	 */
	stream->pass.start = smp_load_acquire(&stream->starts);
	stream->pass.is_last = !READ_ONCE(stream->is_running);
	/* E, matches tprof_stream_flush(): it counts passes that begin later. */
	smp_store_mb(stream->opened, stream->opened + 1);
	if (test_bit(TPROF_DOORBELL_RUNG, &stream->doorbell.bits))
		WRITE_ONCE(stream->kicks, stream->kicks + 1);

	for_each_possible_cpu(cpu) {
		lane = lane_of(stream, cpu);
		if (!lane)
			continue;
		/* A writer is not preemptible and copies 64 KiB at most: soon. */
		while (tprof_ring_is_busy(&lane->ring))
			cond_resched();
		lane->snapshot = tprof_ring_head(&lane->ring);
	}
}

/* The length of the whole records among @bytes that fit into @room. */
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

/* Move what the ring had when the pass began; false if the fifo is full. */
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
 * Tell of what was refused after the last sample that was not; the sampler told
 * of what was before that, in the ring, where it happened.
 */
static bool report_losses(struct tprof_stream *stream, struct tprof_lane *lane)
{
	u64 record[TPROF_STREAM_LOST_BYTES / sizeof(u64)];
	u32 i, bytes;
	u64 lost;

	if (!stream->pass.is_last)
		return true;
	for (i = 0; i < TPROF_LX_MAX_EVENTS; i++) {
		/* First, as what is claimed has to be told. */
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

/* Go on with the pass; false if the fifo is full. */
static bool go_on(struct tprof_stream *stream)
{
	struct tprof_lane *lane;

	for (; stream->pass.cpu < nr_cpu_ids; stream->pass.cpu++) {
		lane = lane_of(stream, stream->pass.cpu);
		/* One that came during the pass has no snapshot: next time. */
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
		/* F, matches tprof_stream_is_drained(): first fill the fifo. */
		smp_store_release(&stream->drained, stream->pass.start);
		stream->has_news = true;
	}
	/* G, matches has_closed(). */
	smp_store_release(&stream->closed, stream->opened);
}

/**
 * tprof_pass_run - go on with the pass until it is through
 * @stream:	stream of a session, with a pass under way
 *
 * If the fifo stays full, the kick stays set: not rings above their watermark
 * but the reader brings us back. He asks is_stuck after he made room, we ask
 * for room after we set it, so that one of us sees the other; he may have
 * emptied the fifo since we found it full, and would wait for us for ever.
 *
 * Context: the worker.
 * Return: true, or false if the fifo stays full.
 */
bool tprof_pass_run(struct tprof_stream *stream)
{
	while (!go_on(stream)) {
		WRITE_ONCE(stream->is_stuck, true);
		/* I, matches offer_room(). */
		smp_mb();
		if (!tprof_stream_has_room(stream))
			return false;
	}
	pass_end(stream);
	return true;
}
