/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the state of a stream, shared by stream.c, pass.c and reader.c
 *
 * "W: x" in the description of a member means: written by x only, or under lock x.
 */
#ifndef TPROF_STREAM_TYPES_H
#define TPROF_STREAM_TYPES_H

#include <linux/mutex.h>
#include <linux/perf_event.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "stream/fifo.h"
#include "stream/lane.h"
#include "stream/mirror.h"

struct tprof_stream;

/**
 * typedef tprof_stream_lost_t - write a LOST_SAMPLES record
 * @stream:	stream that needs the record
 * @index:	index of the event
 * @cpu:	CPU that lost the samples
 * @lost:	number of lost samples
 * @buf:	result; has space for TPROF_STREAM_LOST_BYTES
 *
 * Return: length of the record.
 */
typedef u32 (*tprof_stream_lost_t)(struct tprof_stream *stream, u32 index,
				  int cpu, u64 lost, void *buf);

#define TPROF_STREAM_LOST_BYTES	64

/**
 * typedef tprof_stream_resume_t - let the stalled events of a CPU go on
 * @stream:	stream of a session
 * @lane:	lane whose ring has room again
 *
 * Context: the worker.
 */
typedef void (*tprof_stream_resume_t)(struct tprof_stream *stream, struct tprof_lane *lane);

/**
 * struct tprof_stream - path of a session's records from the rings to the reader
 * @lanes:	array with the lane of each possible CPU, or NULL for a CPU that has
 *		no lane yet. Lanes are added under the cpu lock. There is no array
 *		before the first START or after CONFIG, which frees it
 * @fifo:	finished records for the reader
 * @fifo_mirror: memory of @fifo; changes only under the map lock too
 * @is_unmappable: CONFIG is about to free the fifo; W: map lock
 * @ring_bytes:	size of the rings of CPUs that sample; see cpu_rings.c
 * @watermark:	fill level of such a ring, in bytes, at which it requests a flush; written only
 *		while no event runs
 * @fifo_bytes:	size of the fifo
 * @locked:	what the memory counts to
 * @period_ms:	time between flushes
 * @work:	the worker: runs passes over the rings
 * @waiters:	tasks in read(2) or poll(2) that wait for records or for the end
 * @closers:	tasks in FLUSH that wait for a pass to complete
 * @read_lock:	admits one reader at a time; taken inside the session lock. No task waits for
 *		user memory in it
 * @map_lock:	lets mmap(2) use @fifo_mirror; taken inside @read_lock and the lock of an
 *		address space
 * @write_lost:	function that writes a LOST_SAMPLES record
 * @resume:	function that lets stalled events go on
 * @has_ids:	samples begin with PERF_SAMPLE_IDENTIFIER
 * @sole_event:	index of the only event that samples, if @has_ids is false
 * @doorbell:	lanes ring it to request a flush
 * @is_running:	an event runs, so the worker re-arms itself; W: session lock
 * @starts:	number of calls of tprof_stream_start(); W: session lock
 * @drained:	equal to @starts if all records since the last start are in the fifo; W:
 *		worker
 * @is_stuck:	the fifo is too full for the pass to continue; W: worker
 * @has_news:	the reader must be woken, because the fifo has new records or
 *		the stream has ended; only used by the worker
 * @pass:	the pass under way; only used by the worker
 * @opened:	number of passes begun; W: worker
 * @closed:	number of passes completed; W: worker
 * @rounds:	number of completed passes that moved records; W: worker
 * @empty_rounds: number of completed passes that found no records; W: worker
 * @wakeups:	number of wakeups of the reader; W: worker
 * @kicks:	number of passes that a lane had requested; W: worker
 * @bytes_read:	number of bytes that the reader has removed from @fifo; W: read lock
 * @side_laneless: number of side-band records lost because their CPU had no lane; W:
 *		any CPU
 */
struct tprof_stream {
	struct tprof_lane	**lanes;
	struct tprof_fifo	fifo;
	struct tprof_mirror	fifo_mirror;
	bool			is_unmappable;
	unsigned long		ring_bytes;
	unsigned long		fifo_bytes;
	unsigned long		watermark;
	struct tprof_locked	locked;
	unsigned int		period_ms;
	struct delayed_work	work;
	wait_queue_head_t	waiters;
	wait_queue_head_t	closers;
	struct mutex		read_lock; /* one reader at a time */
	struct mutex		map_lock; /* lets mmap(2) use @fifo_mirror */
	tprof_stream_lost_t	write_lost;
	tprof_stream_resume_t	resume;
	bool			has_ids;
	u32			sole_event;
	struct tprof_doorbell	doorbell;
	bool			is_running;
	bool			is_stuck;
	bool			has_news;
	u64			starts;
	u64			drained;
	struct {
		int		cpu;
		u64		start;
		bool		is_open;
		bool		is_last;
		bool		has_moved;
	}			pass;
	u64			opened;
	u64			closed;
	u64			rounds;
	u64			empty_rounds;
	u64			wakeups;
	u64			kicks;
	u64			bytes_read;
	atomic64_t		side_laneless;
};

/**
 * tprof_stream_lane - return the lane of this CPU
 * @stream:	stream of a session
 *
 * Context: any, not preemptible.
 * Return: the lane, or NULL if this CPU came online after START and its lane could not
 * be allocated.
 */
static inline struct tprof_lane *tprof_stream_lane(struct tprof_stream *stream)
{
	/* Barrier D, pairs with tprof_stream_add_lane(): the lane is initialised. */
	return smp_load_acquire(&stream->lanes[raw_smp_processor_id()]);
}

/**
 * tprof_stream_is_drained - report whether all records are in the fifo
 * @stream:	stream of a session
 *
 * Context: any.
 * Return: true if all records since the last START are in the fifo. The rings then stay
 * empty until the next START.
 */
static inline bool tprof_stream_is_drained(const struct tprof_stream *stream)
{
	/* Barrier F, pairs with pass_end(): read the fifo after @drained. */
	return smp_load_acquire(&stream->drained) == READ_ONCE(stream->starts);
}

/**
 * tprof_stream_has_room - report whether a stuck pass should continue
 * @stream:	stream whose fifo was full
 *
 * Context: the worker or the reader. In the worker, the result is a lower bound: the
 * reader may free more space at any time.
 * Return: true if half of the fifo is free.
 */
static inline bool tprof_stream_has_room(struct tprof_stream *stream)
{
	return tprof_fifo_is_half_free(&stream->fifo);
}

#endif /* TPROF_STREAM_TYPES_H */
