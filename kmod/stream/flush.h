/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - from the rings to the reader
 *
 * A session has a lane for each CPU: the ring that this CPU writes and the
 * counts that belong to it. One worker per session visits all lanes and moves
 * what it finds, unchanged, into the fifo. It never drops: when the fifo has
 * no room it stops where it is and goes on when the reader has made some, and
 * meanwhile full rings refuse samples, which are counted where they are
 * refused.
 *
 * Context: lanes are written in any context on their CPU; the worker runs in
 * process context, never twice at a time; reading under the read lock.
 */
#ifndef TPROF_FLUSH_H
#define TPROF_FLUSH_H

#include <linux/irq_work.h>
#include <linux/mutex.h>
#include <linux/perf_event.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "stream/fifo.h"
#include "stream/mirror.h"
#include "stream/ring.h"
#include "stream/stats.h"

/**
 * struct tprof_lane - what one CPU writes for one session
 * @ring:	records
 * @mirror:	memory of @ring
 * @flush:	back to the session's flush
 * @kick:	asks for a flush when @ring is above the watermark
 * @cpu:	its CPU
 * @snapshot:	end of what this pass will move; flush worker only
 * @counts:	of each event
 * @side:	of side-band
 */
struct tprof_lane {
	struct tprof_ring		ring;
	struct tprof_mirror		mirror;
	struct tprof_flush		*flush;
	struct irq_work			kick;
	int				cpu;
	unsigned long			snapshot;
	struct tprof_counts		counts[TPROF_LX_MAX_EVENTS];
	struct tprof_side_counts	side;
};

/**
 * typedef tprof_flush_lost_t - writes a LOST_SAMPLES record
 * @flush:	flush that asks
 * @index:	event
 * @cpu:	CPU that lost them
 * @lost:	how many
 * @buf:	where, TPROF_FLUSH_LOST_BYTES
 *
 * Return: length of the record.
 */
typedef u32 (*tprof_flush_lost_t)(struct tprof_flush *flush, u32 index,
				  int cpu, u64 lost, void *buf);

#define TPROF_FLUSH_LOST_BYTES	64

/* Bit of @kick_bits. */
#define TPROF_FLUSH_KICKED	0

/**
 * struct tprof_flush - the way of a session's data
 * @lanes:	of each possible CPU, NULL until it is needed; set under the cpu
 *		lock, freed when nothing can use it
 * @fifo:	finished records for the reader
 * @fifo_mirror: memory of @fifo
 * @ring_bytes:	size of each ring
 * @fifo_bytes:	size of the fifo
 * @watermark:	bytes in a ring that start a flush
 * @period_ms:	time between flushes
 * @work:	the worker; armed only while running or draining
 * @waiters:	for data and for the end
 * @closers:	for a pass to complete
 * @read_lock:	one reader at a time; nests in nothing
 * @write_lost:	how a loss is told that no sample followed
 * @has_ids:	samples begin with PERF_SAMPLE_IDENTIFIER
 * @sole_event:	index of the event whose they are all, if not
 * @kick_bits:	bit 0: a flush was asked for and is not done; any context
 * @is_running:	the worker re-arms itself; W: session lock
 * @starts:	times that it was started; W: session lock
 * @drained:	of them, the last whose records are all in the fifo; W: worker
 * @is_stuck:	the fifo has no room for what the pass wants; W: worker
 * @has_news:	the reader has not been woken for what is there; worker only
 * @pass:	the pass under way; worker only
 * @opened:	passes begun; W: worker
 * @closed:	passes completed; W: worker
 * @rounds:	of them, those that moved something; W: worker
 * @empty_rounds: those that did not; W: worker
 * @wakeups:	of readers; W: worker
 * @kicks:	passes that a ring asked for; W: worker
 * @bytes_read:	W: read lock
 * @side_laneless: side-band lost on a CPU that had no lane yet; any CPU
 */
struct tprof_flush {
	struct tprof_lane	**lanes;
	struct tprof_fifo	fifo;
	struct tprof_mirror	fifo_mirror;
	unsigned long		ring_bytes;
	unsigned long		fifo_bytes;
	unsigned long		watermark;
	unsigned int		period_ms;
	struct delayed_work	work;
	wait_queue_head_t	waiters;
	wait_queue_head_t	closers;
	struct mutex		read_lock; /* one reader at a time */
	tprof_flush_lost_t	write_lost;
	bool			has_ids;
	u32			sole_event;
	unsigned long		kick_bits;
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
 * tprof_flush_lane - the lane of this CPU
 * @flush:	flush of a session
 *
 * Context: any, not preemptible.
 * Return: the lane, or NULL if this CPU has none (it came a moment ago).
 */
static inline struct tprof_lane *tprof_flush_lane(struct tprof_flush *flush)
{
	/* D, matches tprof_flush_add_lane(), for a CPU that just came. */
	return smp_load_acquire(&flush->lanes[raw_smp_processor_id()]);
}

/**
 * tprof_flush_is_drained - is every ring empty, to stay so until a START
 * @flush:	flush of a session
 *
 * Context: any.
 * Return: true if so.
 */
static inline bool tprof_flush_is_drained(const struct tprof_flush *flush)
{
	/* F, matches pass_end(): then the fifo has all there is. */
	return smp_load_acquire(&flush->drained) == READ_ONCE(flush->starts);
}

/**
 * tprof_flush_has_room - is it worth while to go on with a pass
 * @flush:	flush whose fifo was full
 *
 * Context: the worker and the reader; the other may make it true.
 * Return: true if half of the fifo is free.
 */
static inline bool tprof_flush_has_room(struct tprof_flush *flush)
{
	return tprof_fifo_room(&flush->fifo) >= flush->fifo_bytes / 2;
}

void *tprof_lane_begin(struct tprof_lane *lane, u32 bytes,
		       enum tprof_ring_room room);
void tprof_lane_end(struct tprof_lane *lane);
void tprof_lane_free(struct tprof_lane *lane);

void tprof_flush_setup(struct tprof_flush *flush, tprof_flush_lost_t write_lost);
int tprof_flush_alloc(struct tprof_flush *flush);
void tprof_flush_free(struct tprof_flush *flush);
int tprof_flush_add_lane(struct tprof_flush *flush, int cpu);

void tprof_flush_start(struct tprof_flush *flush);
void tprof_flush_stop(struct tprof_flush *flush);
void tprof_flush_kick(struct tprof_flush *flush);
int tprof_flush_wait(struct tprof_flush *flush, bool nonblock);

int tprof_flush_init(void);
void tprof_flush_uninit(void);

#endif /* TPROF_FLUSH_H */
