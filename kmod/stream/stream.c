// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the worker that moves records from the rings to the fifo
 *
 * The worker runs passes over the rings of all CPUs (pass.c): periodically while the
 * session runs, on request of a lane (ring and counts of a CPU) or of FLUSH, and
 * after STOP until all records are in the fifo.
 *
 * Context: process; the worker never runs twice at a time.
 */
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/jiffies.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "base/gfp.h"
#include "stream/pass.h"
#include "stream/stream.h"

static struct workqueue_struct *stream_wq;

/* Wake readers if @has_news is set. Wake tasks in FLUSH in any case. */
static void wake_waiters(struct tprof_stream *stream)
{
	bool has_news = stream->has_news;

	stream->has_news = false;
	if (has_news && wq_has_sleeper(&stream->waiters)) {
		WRITE_ONCE(stream->wakeups, stream->wakeups + 1);
		wake_up_interruptible_all(&stream->waiters);
	}
	if (wq_has_sleeper(&stream->closers))
		wake_up_interruptible_all(&stream->closers);
}

/*
 * Return true if another pass must follow at once. There are three reasons. A pass that
 * waited for the reader kept the doorbell rung, so rings that filled during the wait
 * could not request a flush. An event may have stalled after the pass had visited its lane,
 * while the doorbell was still rung. And after STOP, passes go on until all records are in the
 * fifo.
 */
static bool is_due(struct tprof_stream *stream, bool has_waited)
{
	return has_waited || tprof_pass_has_stalls(stream) || (!READ_ONCE(stream->is_running) &&
			      !tprof_stream_is_drained(stream));
}

/*
 * Return the time to the next pass. An urgent record may have come after the last pass had
 * visited its lane. FLUSH and STOP wait for the end of the work, so a new one does that pass.
 */
static unsigned long time_to_next(const struct tprof_stream *stream)
{
	/*
	 * Barrier W, pairs with tprof_lane_request_urgent_flush(): clear TPROF_DOORBELL_RUNG
	 * in pass_end() before reading TPROF_DOORBELL_URGENT.
	 */
	smp_mb();
	return test_bit(TPROF_DOORBELL_URGENT, &stream->doorbell.bits) ?
	       0 : msecs_to_jiffies(READ_ONCE(stream->period_ms));
}

static void stream_work(struct work_struct *work)
{
	struct tprof_stream *stream =
		container_of(to_delayed_work(work), struct tprof_stream, work);
	bool has_waited, is_done;

	do {
		has_waited = stream->pass.is_open;
		if (!has_waited)
			tprof_pass_begin(stream);
		is_done = tprof_pass_run(stream);
		wake_waiters(stream);
	} while (is_done && is_due(stream, has_waited));

	if (is_done && READ_ONCE(stream->is_running))
		queue_delayed_work(stream_wq, &stream->work, time_to_next(stream));
}

/**
 * tprof_stream_kick - start a flush now
 * @stream:	stream of a session
 *
 * Context: any but NMI.
 */
void tprof_stream_kick(struct tprof_stream *stream)
{
	mod_delayed_work(stream_wq, &stream->work, 0);
}

static void answer_doorbell(struct tprof_doorbell *doorbell)
{
	tprof_stream_kick(container_of(doorbell, struct tprof_stream, doorbell));
}

/*
 * Return true if pass number @pass is complete, or if the stream is drained, so
 * that this pass has nothing to move.
 */
static bool has_closed(const struct tprof_stream *stream, u64 pass)
{
	/* Barrier G, pairs with pass_end(): read the fifo after @closed. */
	return smp_load_acquire(&stream->closed) >= pass ||
	       tprof_stream_is_drained(stream);
}

static bool is_over(const struct tprof_stream *stream, u64 pass, bool nonblock)
{
	return has_closed(stream, pass) ||
	       (nonblock && READ_ONCE(stream->is_stuck));
}

/**
 * tprof_stream_flush - wait until the worker has moved all present records of the
 * rings to the fifo
 * @stream:	stream of a session
 * @nonblock:	return -EAGAIN instead of waiting for the reader to free space
 *
 * Context: process, may sleep.
 * Return: 0; -EAGAIN if @nonblock is set and the fifo is full; -ERESTARTSYS.
 */
int tprof_stream_flush(struct tprof_stream *stream, bool nonblock)
{
	u64 wanted;
	int err;

	/*
	 * Barrier E, pairs with tprof_pass_begin(): pass number @wanted notes the ends
	 * of the rings after this barrier.
	 */
	smp_mb();
	wanted = READ_ONCE(stream->opened) + 1;
	tprof_stream_kick(stream);
	if (nonblock)
		flush_delayed_work(&stream->work);
	err = wait_event_interruptible(stream->closers,
				       is_over(stream, wanted, nonblock));
	if (err)
		return err;
	return has_closed(stream, wanted) ? 0 : -EAGAIN;
}

/**
 * tprof_stream_start - start the worker before the first record
 * @stream:	stream with its memory allocated
 *
 * Context: process, under the session lock, while no CPU writes.
 */
void tprof_stream_start(struct tprof_stream *stream)
{
	WRITE_ONCE(stream->is_running, true);
	/*
	 * Barrier J, pairs with tprof_pass_begin(): set @is_running before @starts, so
	 * that the last pass of an earlier start does not set @drained for this start.
	 */
	smp_store_release(&stream->starts, stream->starts + 1);
	tprof_stream_kick(stream);
}

/**
 * tprof_stream_stop - drain the rings after the last record
 * @stream:	stream of a session
 *
 * The worker moves the remaining records as the reader frees space, and then sets
 * @stream->drained.
 *
 * Context: process, under the session lock, when no CPU can write any more.
 */
void tprof_stream_stop(struct tprof_stream *stream)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		if (stream->lanes[cpu])
			irq_work_sync(&stream->lanes[cpu]->kick);
	}
	WRITE_ONCE(stream->is_running, false);
	tprof_stream_kick(stream);
}

/**
 * tprof_stream_setup - initialise a stream, without its memory
 * @write_lost:	function that writes a record of lost samples
 * @resume:	function that lets stalled events go on
 */
void tprof_stream_setup(struct tprof_stream *stream, tprof_stream_lost_t write_lost,
			tprof_stream_resume_t resume)
{
	stream->write_lost = write_lost;
	stream->resume = resume;
	stream->doorbell.answer = answer_doorbell;
	INIT_DELAYED_WORK(&stream->work, stream_work);
	init_waitqueue_head(&stream->waiters);
	init_waitqueue_head(&stream->closers);
	mutex_init(&stream->read_lock);
	mutex_init(&stream->map_lock);
}

/*
 * Replace the memory of the fifo. Return the memory that it had.
 *
 * A task in mmap(2) reads @fifo_mirror without the other locks: it holds the lock of its
 * address space, which others need, and which comes after the session lock.
 */
static struct tprof_mirror set_fifo_mirror(struct tprof_stream *stream,
					   struct tprof_mirror mirror)
{
	struct tprof_mirror old;

	mutex_lock(&stream->map_lock);
	old = stream->fifo_mirror;
	stream->fifo_mirror = mirror;
	stream->is_unmappable = false;
	mutex_unlock(&stream->map_lock);
	return old;
}

static int alloc_fifo_memory(struct tprof_stream *stream)
{
	struct tprof_mirror mirror = {};
	int err;

	err = tprof_mirror_alloc(&mirror, stream->fifo_bytes, NUMA_NO_NODE);
	if (err)
		return err;
	err = tprof_fifo_init(&stream->fifo, mirror.addr, stream->fifo_bytes);
	if (err)
		tprof_mirror_free(&mirror);
	else
		set_fifo_mirror(stream, mirror);
	return err;
}

static int alloc_fifo(struct tprof_stream *stream)
{
	size_t bytes = tprof_fifo_memory(stream->fifo_bytes);
	int err = tprof_locked_take(&stream->locked, bytes);

	if (err)
		return err;
	err = alloc_fifo_memory(stream);
	if (err)
		tprof_locked_give(&stream->locked, bytes);
	return err;
}

/* Free the fifo. Pages that a task has mapped are freed when it unmaps them. */
static void free_fifo(struct tprof_stream *stream)
{
	struct tprof_mirror mirror =
		set_fifo_mirror(stream, (struct tprof_mirror){});

	tprof_mirror_free(&mirror);
	tprof_fifo_free(&stream->fifo);
	tprof_locked_give(&stream->locked, tprof_fifo_memory(stream->fifo_bytes));
}

/**
 * tprof_stream_alloc - allocate the memory of a stream, except the lanes
 * @stream:	stream with its sizes set
 *
 * If the memory is allocated already, nothing changes.
 *
 * Context: process, under the session lock.
 * Return: 0, -ENOMEM or -ENOBUFS.
 */
int tprof_stream_alloc(struct tprof_stream *stream)
{
	struct tprof_lane **lanes;
	int err;

	if (stream->lanes)
		return 0;
	err = alloc_fifo(stream);
	if (err)
		return err;
	lanes = kvcalloc(nr_cpu_ids, sizeof(*lanes), TPROF_GFP);
	if (!lanes) {
		free_fifo(stream);
		return -ENOMEM;
	}
	WRITE_ONCE(stream->lanes, lanes);
	return 0;
}

/**
 * tprof_stream_add_lane - allocate and publish the lane of a CPU
 * @stream:	stream with its memory allocated
 * @cpu:	CPU
 * @ring_bytes:	size of its ring
 *
 * If the CPU has a lane already, nothing changes.
 *
 * Context: process, under the cpu lock.
 * Return: 0, -ENOMEM or -ENOBUFS.
 */
int tprof_stream_add_lane(struct tprof_stream *stream, int cpu, unsigned long ring_bytes)
{
	struct tprof_lane *lane;

	if (stream->lanes[cpu])
		return 0;
	lane = tprof_lane_alloc(&stream->doorbell, cpu, ring_bytes, &stream->locked);
	if (IS_ERR(lane))
		return PTR_ERR(lane);
	tprof_lane_set_watermark(lane, stream->watermark, stream->ring_bytes);
	/*
	 * Barrier D, pairs with tprof_stream_lane(): initialise the lane before
	 * publishing it.
	 */
	smp_store_release(&stream->lanes[cpu], lane);
	return 0;
}

/**
 * tprof_stream_hide_lanes - keep the worker and the reader from the lanes
 * @stream:	stream of a session, no event of which runs
 *
 * Context: process, under the session lock, without the cpu lock, which the worker takes.
 * Return: the lanes, for tprof_stream_show_lanes().
 */
struct tprof_lane **tprof_stream_hide_lanes(struct tprof_stream *stream)
{
	struct tprof_lane **lanes = stream->lanes;

	mutex_lock(&stream->read_lock);
	/* A FLUSH may restart the worker, which must then find no lanes. */
	WRITE_ONCE(stream->lanes, NULL);
	cancel_delayed_work_sync(&stream->work);
	return lanes;
}

/**
 * tprof_stream_show_lanes - undo tprof_stream_hide_lanes()
 * @stream:	stream of a session
 * @lanes:	its lanes
 *
 * Context: process, under the session lock.
 */
void tprof_stream_show_lanes(struct tprof_stream *stream, struct tprof_lane **lanes)
{
	/* Pairs with lane_of(): the rings are initialised. */
	smp_store_release(&stream->lanes, lanes);
	mutex_unlock(&stream->read_lock);
}

/**
 * tprof_stream_set_watermark - set when the lanes request a flush
 * @stream:	stream of a session, running or not
 * @watermark:	fill level of a ring of @ring_bytes, in bytes
 *
 * Context: process, under the session lock and the cpu lock.
 */
void tprof_stream_set_watermark(struct tprof_stream *stream, unsigned long watermark)
{
	int cpu;

	stream->watermark = watermark;
	for_each_possible_cpu(cpu) {
		if (stream->lanes && stream->lanes[cpu])
			tprof_lane_set_watermark(stream->lanes[cpu], watermark,
						 stream->ring_bytes);
	}
}

/**
 * tprof_stream_set_period - change the time between flushes
 * @stream:	stream of a session, running or not
 * @period_ms:	the new time
 *
 * Context: process, under the session lock.
 */
void tprof_stream_set_period(struct tprof_stream *stream, unsigned int period_ms)
{
	WRITE_ONCE(stream->period_ms, period_ms);
	/* The worker may be waiting for the end of a longer period. */
	if (stream->is_running)
		tprof_stream_kick(stream);
}

/**
 * tprof_stream_is_settled - report whether nothing is left to do for an event that was stopped
 * @stream:	stream of a session
 * @index:	index of the event, which has no overflow under way
 *
 * The worker compares losses that were reported with all. So tprof_stream_forget() may clear
 * both, while the worker runs, only if they are 0.
 *
 * Context: process, under the session lock.
 * Return: true if all samples of the event were read, and none was lost.
 */
bool tprof_stream_is_settled(const struct tprof_stream *stream, u32 index)
{
	const struct tprof_counts *counts;
	struct tprof_lane *lane;
	int cpu;

	if (!stream->lanes)
		return true;
	for_each_possible_cpu(cpu) {
		/* Races with a CPU that comes online and gets its lane. */
		lane = READ_ONCE(stream->lanes[cpu]);
		if (!lane)
			continue;
		counts = &lane->counts[index];
		if (local64_read(&counts->stored) != READ_ONCE(counts->delivered) ||
		    local64_read(&counts->lost_ring))
			return false;
	}
	return true;
}

/**
 * tprof_stream_forget - clear the counts of an event
 * @stream:	stream of a session; all records were read, or tprof_stream_is_settled()
 * @index:	index of the event, which has no overflow under way
 *
 * Context: process, under the session lock.
 */
void tprof_stream_forget(struct tprof_stream *stream, u32 index)
{
	struct tprof_lane *lane;
	int cpu;

	if (!stream->lanes)
		return;
	for_each_possible_cpu(cpu) {
		lane = READ_ONCE(stream->lanes[cpu]);
		if (!lane)
			continue;
		memset(&lane->counts[index], 0, sizeof(lane->counts[index]));
		memset(&lane->stalls[index], 0, sizeof(lane->stalls[index]));
	}
}

/**
 * tprof_stream_free - free the memory of a stream, with the records in it
 * @stream:	stream that is stopped and that no reader uses
 *
 * Context: process, under the session lock.
 */
void tprof_stream_free(struct tprof_stream *stream)
{
	struct tprof_lane **lanes = stream->lanes;
	int cpu;

	/*
	 * Clear @lanes first: a FLUSH may restart the worker, which must then find no
	 * lanes.
	 */
	WRITE_ONCE(stream->lanes, NULL);
	cancel_delayed_work_sync(&stream->work);
	if (!lanes)
		return;
	for_each_possible_cpu(cpu) {
		if (lanes[cpu])
			tprof_lane_free(lanes[cpu], &stream->locked);
	}
	kvfree(lanes);
	free_fifo(stream);
}

/**
 * tprof_stream_init - create the workqueue at module load
 *
 * Return: 0 or -ENOMEM.
 */
int tprof_stream_init(void)
{
	stream_wq = alloc_workqueue("tprof-lx", WQ_UNBOUND | WQ_HIGHPRI, 0);
	return stream_wq ? 0 : -ENOMEM;
}

/** tprof_stream_uninit - destroy the workqueue, after the last session */
void tprof_stream_uninit(void)
{
	destroy_workqueue(stream_wq);
}
