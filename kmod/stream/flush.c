// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - from the rings to the fifo: the worker that does it, and when
 *
 * It makes one pass after the other over the lanes of all CPUs (pass.c): every
 * so often while the session runs, when somebody asks for one, and after the
 * end until all is in the fifo.
 *
 * Context: process; the worker never runs twice at a time.
 */
#include <linux/cpumask.h>
#include <linux/jiffies.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "stream/flush.h"
#include "base/gfp.h"
#include "stream/pass.h"

static struct workqueue_struct *flush_wq;

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
			tprof_pass_begin(flush);
		is_done = tprof_pass_run(flush);
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
	/* J, matches tprof_pass_begin(): a last pass does not end what begins now. */
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
	lanes = kvcalloc(nr_cpu_ids, sizeof(*lanes), TPROF_GFP);
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
