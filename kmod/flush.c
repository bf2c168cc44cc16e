// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - from the rings to the fifo
 *
 * One pass visits the lanes of all CPUs. It begins by noting the end of every
 * ring and moves what is there up to that mark, so it ends even if writers are
 * faster. A PERF_RECORD_FINISHED_ROUND closes a pass that moved something. It
 * promises that nothing after it is older than anything before the previous
 * one, and that is kept: a pass holds every record whose time was taken before
 * it began (tprof_ring_is_busy()), so what the next one holds is newer than
 * the beginning of this one, which is newer than all of the one before.
 *
 * Context: the worker runs in process context, never twice at a time; all of
 * @pass and the consumer's side of the rings is its own.
 */
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/jiffies.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/topology.h>

#include "flush.h"

/* A record of the perf tool, not of the kernel: no header of its defines it. */
#define PERF_RECORD_FINISHED_ROUND	68

static struct workqueue_struct *flush_wq;

/* None of any CPU before the first START and after CONFIG: an empty pass. */
static struct tprof_lane *lane_of(struct tprof_flush *flush, int cpu)
{
	/* Races with tprof_flush_free(), which waits for the worker. */
	struct tprof_lane **lanes = READ_ONCE(flush->lanes);

	return lanes ? READ_ONCE(lanes[cpu]) : NULL;
}

static void pass_begin(struct tprof_flush *flush)
{
	struct tprof_lane *lane;
	int cpu;

	flush->pass.cpu = 0;
	flush->pass.is_open = true;
	flush->pass.has_moved = false;
	/*
	 * Not running means that nobody writes, unless tprof_flush_start() is
	 * at work: it sets is_running first, so that what we would then close
	 * is the start before (J).
	 */
	flush->pass.start = smp_load_acquire(&flush->starts);
	flush->pass.is_last = !READ_ONCE(flush->is_running);
	/* E, matches tprof_flush_wait(): it counts passes that begin later. */
	smp_store_mb(flush->opened, flush->opened + 1);
	if (test_bit(TPROF_FLUSH_KICKED, &flush->kick_bits))
		WRITE_ONCE(flush->kicks, flush->kicks + 1);

	for_each_possible_cpu(cpu) {
		lane = lane_of(flush, cpu);
		if (!lane)
			continue;
		/* A writer is not preemptible and has no loops: soon. */
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

static bool push(struct tprof_flush *flush, int cpu, const void *record,
		 u32 bytes)
{
	if (tprof_fifo_room(&flush->fifo) < bytes)
		return false;
	tprof_fifo_push(&flush->fifo, cpu, record, bytes);
	flush->pass.has_moved = true;
	flush->has_news = true;
	return true;
}

/* Move what the ring had when the pass began; false if the fifo is full. */
static bool move_records(struct tprof_flush *flush, struct tprof_lane *lane)
{
	u32 bytes = lane->snapshot - lane->ring.tail;
	const void *records = tprof_ring_peek(&lane->ring);
	u32 room = tprof_fifo_room(&flush->fifo);
	bool is_all = bytes <= room;

	if (!is_all)
		bytes = whole_records(records, bytes, room);
	if (!bytes)
		return is_all;

	push(flush, lane->cpu, records, bytes);
	tprof_ring_consume(&lane->ring, bytes);
	return is_all;
}

/*
 * Tell of what was refused after the last sample that was not; the sampler told
 * of what was before that, in the ring, where it happened.
 */
static bool tell_losses(struct tprof_flush *flush, struct tprof_lane *lane)
{
	u64 record[TPROF_FLUSH_LOST_BYTES / sizeof(u64)];
	u32 i, bytes;
	u64 lost;

	if (!flush->pass.is_last)
		return true;
	for (i = 0; i < TPROF_LX_MAX_EVENTS; i++) {
		/* First, as what is claimed has to be told. */
		if (tprof_fifo_room(&flush->fifo) < sizeof(record))
			return false;
		lost = tprof_stats_claim_lost(&lane->counts[i]);
		if (!lost)
			continue;
		bytes = flush->write_lost(flush, i, lane->cpu, lost, record);
		push(flush, lane->cpu, record, bytes);
	}
	return true;
}

static bool close_round(struct tprof_flush *flush)
{
	const struct perf_event_header record = {
		.type = PERF_RECORD_FINISHED_ROUND,
		.size = sizeof(record),
	};

	if (!flush->pass.has_moved) {
		WRITE_ONCE(flush->empty_rounds, flush->empty_rounds + 1);
		return true;
	}
	if (!push(flush, 0, &record, sizeof(record)))
		return false;
	WRITE_ONCE(flush->rounds, flush->rounds + 1);
	return true;
}

/* Go on with the pass; false if the fifo is full. */
static bool pass_go_on(struct tprof_flush *flush)
{
	struct tprof_lane *lane;

	for (; flush->pass.cpu < nr_cpu_ids; flush->pass.cpu++) {
		lane = lane_of(flush, flush->pass.cpu);
		/* One that came during the pass has no snapshot: next time. */
		if (!lane || lane->snapshot == 0)
			continue;
		if (!move_records(flush, lane) || !tell_losses(flush, lane))
			return false;
		cond_resched();
	}
	return close_round(flush);
}

/* The reader is woken by a pass that brought data or the end, FLUSH by any. */
static void wake(struct tprof_flush *flush)
{
	bool has_news = flush->has_news;

	flush->has_news = false;
	if (has_news && wq_has_sleeper(&flush->waiters)) {
		WRITE_ONCE(flush->wakeups, flush->wakeups + 1);
		wake_up_interruptible_all(&flush->waiters);
	}
	if (wq_has_sleeper(&flush->closers))
		wake_up_interruptible_all(&flush->closers);
}

static void pass_end(struct tprof_flush *flush)
{
	WRITE_ONCE(flush->is_stuck, false);
	flush->pass.is_open = false;
	clear_bit(TPROF_FLUSH_KICKED, &flush->kick_bits);
	if (flush->pass.is_last) {
		/* F, matches tprof_flush_is_drained(): first fill the fifo. */
		smp_store_release(&flush->drained, flush->pass.start);
		flush->has_news = true;
	}
	/* G, matches has_closed(). */
	smp_store_release(&flush->closed, flush->opened);
}

/*
 * Go on with the pass until it is through, or false if the fifo stays full.
 * Then the kick stays set: not rings above their watermark but the reader
 * brings us back. He asks is_stuck after he made room, we ask for room after
 * we set it, so that one of us sees the other; he may have emptied the fifo
 * since we found it full, and would wait for us for ever.
 */
static bool pass_run(struct tprof_flush *flush)
{
	while (!pass_go_on(flush)) {
		WRITE_ONCE(flush->is_stuck, true);
		/* I, matches offer_room(). */
		smp_mb();
		if (!tprof_flush_has_room(flush))
			return false;
	}
	pass_end(flush);
	return true;
}

/*
 * Is another pass due at once: after the one that waited for the reader, as
 * rings have filled meanwhile and could not say so, the kick being set; and
 * after a stop, until all is in the fifo.
 */
static bool is_due(const struct tprof_flush *flush, bool has_waited)
{
	return has_waited || (!READ_ONCE(flush->is_running) &&
			      !tprof_flush_is_drained(flush));
}

static void flush_run(struct work_struct *work)
{
	struct tprof_flush *flush =
		container_of(to_delayed_work(work), struct tprof_flush, work);
	bool has_waited, is_done;

	do {
		has_waited = flush->pass.is_open;
		if (!has_waited)
			pass_begin(flush);
		is_done = pass_run(flush);
	} while (is_done && is_due(flush, has_waited));

	wake(flush);
	if (is_done && READ_ONCE(flush->is_running))
		queue_delayed_work(flush_wq, &flush->work,
				   msecs_to_jiffies(flush->period_ms));
}

/**
 * tprof_flush_kick - flush now
 * @flush:	flush of a session
 *
 * Context: any but NMI.
 */
void tprof_flush_kick(struct tprof_flush *flush)
{
	mod_delayed_work(flush_wq, &flush->work, 0);
}

/* Once drained there may be no pass to come, and there is nothing to move. */
static bool has_closed(const struct tprof_flush *flush, u64 pass)
{
	/* G, matches pass_end(): what it moved is in the fifo. */
	return smp_load_acquire(&flush->closed) >= pass ||
	       tprof_flush_is_drained(flush);
}

static bool is_over(const struct tprof_flush *flush, u64 pass, bool nonblock)
{
	return has_closed(flush, pass) ||
	       (nonblock && READ_ONCE(flush->is_stuck));
}

/**
 * tprof_flush_wait - wait until all that is in the rings now is in the fifo
 * @flush:	flush of a session
 * @nonblock:	do not wait for the reader to make room
 *
 * Context: process, may sleep.
 * Return: 0, -EAGAIN or -ERESTARTSYS.
 */
int tprof_flush_wait(struct tprof_flush *flush, bool nonblock)
{
	u64 wanted;
	int err;

	/* E: a pass with a number above this one begins after this. */
	smp_mb();
	wanted = READ_ONCE(flush->opened) + 1;
	tprof_flush_kick(flush);
	if (nonblock)
		flush_delayed_work(&flush->work);
	err = wait_event_interruptible(flush->closers,
				       is_over(flush, wanted, nonblock));
	if (err)
		return err;
	return has_closed(flush, wanted) ? 0 : -EAGAIN;
}

/**
 * tprof_flush_start - records will come
 * @flush:	flush that has its memory
 *
 * Context: process, under the session lock, while nobody writes.
 */
void tprof_flush_start(struct tprof_flush *flush)
{
	WRITE_ONCE(flush->is_running, true);
	/* J, matches pass_begin(): a last pass does not end what begins now. */
	smp_store_release(&flush->starts, flush->starts + 1);
	tprof_flush_kick(flush);
}

/**
 * tprof_flush_stop - no more records come
 * @flush:	flush of a session
 *
 * The worker moves what is left, as the reader makes room, and then says so.
 *
 * Context: process, under the session lock, when nobody can write any more.
 */
void tprof_flush_stop(struct tprof_flush *flush)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		if (flush->lanes[cpu])
			irq_work_sync(&flush->lanes[cpu]->kick);
	}
	WRITE_ONCE(flush->is_running, false);
	tprof_flush_kick(flush);
}

/**
 * tprof_flush_setup - make a flush that has no memory yet
 * @flush:	flush
 * @write_lost:	how a loss is told
 */
void tprof_flush_setup(struct tprof_flush *flush,
		       tprof_flush_lost_t write_lost)
{
	flush->write_lost = write_lost;
	INIT_DELAYED_WORK(&flush->work, flush_run);
	init_waitqueue_head(&flush->waiters);
	init_waitqueue_head(&flush->closers);
	mutex_init(&flush->read_lock);
}

/**
 * tprof_flush_alloc - get the memory, but for the lanes
 * @flush:	flush with its sizes set; nothing happens if it has its memory
 *
 * Context: process, under the session lock.
 * Return: 0 or -ENOMEM.
 */
int tprof_flush_alloc(struct tprof_flush *flush)
{
	struct tprof_lane **lanes;
	int err;

	if (flush->lanes)
		return 0;
	err = tprof_mirror_alloc(&flush->fifo_mirror, flush->fifo_bytes,
				 NUMA_NO_NODE);
	if (err)
		return err;
	tprof_fifo_init(&flush->fifo, flush->fifo_mirror.addr,
			flush->fifo_bytes);
	lanes = kvcalloc(nr_cpu_ids, sizeof(*lanes), GFP_KERNEL_ACCOUNT);
	if (!lanes) {
		tprof_mirror_free(&flush->fifo_mirror);
		return -ENOMEM;
	}
	WRITE_ONCE(flush->lanes, lanes);
	return 0;
}

/**
 * tprof_flush_free - give all memory back, with the records in it
 * @flush:	flush that is stopped and that nobody reads
 *
 * Context: process, under the session lock.
 */
void tprof_flush_free(struct tprof_flush *flush)
{
	struct tprof_lane **lanes = flush->lanes;
	int cpu;

	/* A FLUSH may bring the worker back: it finds no lanes then. */
	WRITE_ONCE(flush->lanes, NULL);
	cancel_delayed_work_sync(&flush->work);
	if (!lanes)
		return;
	for_each_possible_cpu(cpu) {
		if (lanes[cpu])
			tprof_lane_free(lanes[cpu]);
	}
	kvfree(lanes);
	tprof_mirror_free(&flush->fifo_mirror);
}

/**
 * tprof_flush_init - module load
 *
 * Return: 0 or -ENOMEM.
 */
int tprof_flush_init(void)
{
	flush_wq = alloc_workqueue("tprof-lx", WQ_UNBOUND | WQ_HIGHPRI, 0);
	return flush_wq ? 0 : -ENOMEM;
}

/** tprof_flush_uninit - module exit, when no session is left */
void tprof_flush_uninit(void)
{
	destroy_workqueue(flush_wq);
}
