// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - handing whole records to read(2)
 *
 * Context: process. Everything but the waiting is under the read lock.
 */
#include <linux/sched/signal.h>
#include <linux/uaccess.h>

#include "stream/flush.h"
#include "stream/reader.h"

/* Samples of each event in the records that are about to be delivered. */
struct tally {
	u32 samples[TPROF_LX_MAX_EVENTS];
};

/**
 * tprof_reader_is_at_end - will there be nothing more to read
 * @flush:	flush of a session
 *
 * Context: any but NMI.
 * Return: true if so.
 */
bool tprof_reader_is_at_end(struct tprof_flush *flush)
{
	return tprof_flush_is_drained(flush) &&
	       tprof_fifo_is_empty(&flush->fifo);
}

/*
 * Identifiers count up in steps of TPROF_LX_MAX_EVENTS from session to session
 * (event.c), so the low bits are the number of the event.
 */
static u32 event_index(const struct tprof_flush *flush, const u64 *sample)
{
	return flush->has_ids ? sample[1] % TPROF_LX_MAX_EVENTS :
				flush->sole_event;
}

/* The length of the whole records that fit, and the samples among them. */
static u32 survey(const struct tprof_flush *flush, const void *records,
		  u32 bytes, size_t room, struct tally *tally)
{
	const struct perf_event_header *header;
	u32 fits = 0;

	memset(tally, 0, sizeof(*tally));
	while (fits < bytes) {
		header = records + fits;
		if (fits + header->size > room)
			break;
		if (header->type == PERF_RECORD_SAMPLE)
			tally->samples[event_index(flush, records + fits)]++;
		fits += header->size;
	}
	return fits;
}

static void count_delivered(struct tprof_flush *flush, u32 cpu,
			    const struct tally *tally)
{
	struct tprof_counts *counts;
	u32 i;

	for (i = 0; i < TPROF_LX_MAX_EVENTS; i++) {
		if (!tally->samples[i])
			continue;
		counts = &flush->lanes[cpu]->counts[i];
		WRITE_ONCE(counts->delivered,
			   counts->delivered + tally->samples[i]);
	}
}

/*
 * Copy records of one chunk. What could not be copied whole is not taken out
 * of the fifo, so a fault loses nothing.
 */
static ssize_t copy_chunk(struct tprof_flush *flush, char __user *buf,
			  size_t room)
{
	struct tally tally;
	const void *records;
	u32 bytes, fits;

	records = tprof_fifo_peek(&flush->fifo, &bytes);
	if (!records)
		return 0;
	fits = survey(flush, records, bytes, room, &tally);
	if (!fits)
		return -EINVAL;
	if (copy_to_user(buf, records, fits))
		return -EFAULT;
	count_delivered(flush, flush->fifo.cpu, &tally);
	tprof_fifo_pop(&flush->fifo, fits);
	return fits;
}

/* The worker waits for room; it is worth its while when half is free. */
static void offer_room(struct tprof_flush *flush)
{
	/* I, matches tprof_pass_run(): first make room, then ask who waits for it. */
	smp_mb();
	if (READ_ONCE(flush->is_stuck) && tprof_flush_has_room(flush))
		tprof_flush_kick(flush);
}

static ssize_t copy_records(struct tprof_flush *flush, char __user *buf,
			    size_t room)
{
	size_t done = 0;
	ssize_t ret;

	do {
		ret = copy_chunk(flush, buf + done, room - done);
		if (ret > 0)
			done += ret;
	} while (ret > 0);
	if (done) {
		WRITE_ONCE(flush->bytes_read, flush->bytes_read + done);
		offer_room(flush);
	}
	return done ? done : ret;
}

static bool is_readable(struct tprof_flush *flush)
{
	return !tprof_fifo_is_empty(&flush->fifo) ||
	       tprof_reader_is_at_end(flush);
}

/**
 * tprof_reader_read - read(2)
 * @flush:	flush of a session
 * @buf:	user's buffer
 * @room:	its length
 * @nonblock:	do not wait
 *
 * Context: process, may sleep.
 * Return: length of the whole records that were copied, as many as there are
 * and fit; 0 at the end of the stream; -EAGAIN; -EINVAL when the next record
 * does not fit; -EFAULT; -ERESTARTSYS.
 */
ssize_t tprof_reader_read(struct tprof_flush *flush, char __user *buf,
			  size_t room, bool nonblock)
{
	ssize_t ret;

	for (;;) {
		/* First, so that what came before the end is not missed. */
		bool is_at_end = tprof_reader_is_at_end(flush);

		if (mutex_lock_interruptible(&flush->read_lock))
			return -ERESTARTSYS;
		ret = flush->lanes ? copy_records(flush, buf, room) : 0;
		mutex_unlock(&flush->read_lock);
		if (ret || is_at_end)
			return ret;
		if (nonblock)
			return -EAGAIN;
		if (wait_event_interruptible(flush->waiters,
					     is_readable(flush)))
			return -ERESTARTSYS;
	}
}

/**
 * tprof_reader_poll - poll(2)
 * @flush:	flush of a session
 * @file:	its open file
 * @table:	who waits
 *
 * Context: process.
 * Return: EPOLLIN when a record is there; EPOLLIN | EPOLLHUP at the end.
 */
__poll_t tprof_reader_poll(struct tprof_flush *flush, struct file *file,
			   poll_table *table)
{
	poll_wait(file, &flush->waiters, table);
	/* Before 6.13 it has none: wake() sees us, or we see what it did. */
	smp_mb();
	if (tprof_reader_is_at_end(flush))
		return READ_ONCE(flush->starts) ? EPOLLIN | EPOLLHUP : 0;
	return tprof_fifo_is_empty(&flush->fifo) ? 0 :
						   EPOLLIN | EPOLLRDNORM;
}
