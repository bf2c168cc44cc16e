// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the reader: serves read(2), poll(2), mmap(2) and ADVANCE with whole records
 *
 * Context: process. Records are copied and removed under the read lock. Waiting is outside of
 * it, also for pages of the reader's memory: START and CONFIG take the read lock, and the page
 * may belong to a file system that never provides it.
 */
#include <linux/mm.h>
#include <linux/page_ref.h>
#include <linux/pagemap.h>
#include <linux/sched/signal.h>
#include <linux/uaccess.h>

#include "stream/reader.h"
#include "stream/stream.h"

/* Number of samples of each event in the records that are being removed. */
struct tally {
	u32 samples[TPROF_LX_MAX_EVENTS];
};

/**
 * tprof_reader_is_at_end - report whether all records were read
 * @stream:	stream of a session
 *
 * Context: any but NMI.
 * Return: true if all records since the last START were read, and before the first
 * START.
 */
bool tprof_reader_is_at_end(struct tprof_stream *stream)
{
	return tprof_stream_is_drained(stream) &&
	       tprof_fifo_is_empty(&stream->fifo);
}

/*
 * The id of an event is a multiple of TPROF_LX_MAX_EVENTS plus the index of the
 * event: see new_id().
 */
static u32 event_index(const struct tprof_stream *stream, const u64 *sample)
{
	return stream->has_ids ? sample[1] % TPROF_LX_MAX_EVENTS :
				stream->sole_event;
}

/* Return the length of the records at the start of @records that have the same header. */
static u32 length_of_run(const void *records, u32 bytes)
{
	const struct perf_event_header *header = records;
	const void *pos = records, *end = records + bytes;
	u32 size = header->size;
	u64 same = *(const u64 *)header;

	do {
		pos += size;
	} while (pos < end && *(const u64 *)pos == same);
	return pos - records;
}

/*
 * Return the number of samples in whole records. Most samples have the same header, so
 * count one run of equal headers after the other.
 */
static u32 count_samples(const void *records, u32 bytes)
{
	const struct perf_event_header *header;
	u32 nr = 0, done, run;

	for (done = 0; done < bytes; done += run) {
		header = records + done;
		run = length_of_run(header, bytes - done);
		if (header->type == PERF_RECORD_SAMPLE)
			nr += run / header->size;
	}
	return nr;
}

/*
 * Return the length of the whole records that fit into @room; count their samples in
 * @tally.
 */
static u32 survey_records(const struct tprof_stream *stream, const void *records,
			  u32 bytes, size_t room, struct tally *tally)
{
	const struct perf_event_header *header;
	u32 fits = 0;

	memset(tally, 0, sizeof(*tally));
	/* Common case: one event, and all records fit. */
	if (!stream->has_ids && bytes <= room) {
		tally->samples[stream->sole_event] = count_samples(records, bytes);
		return bytes;
	}
	while (fits < bytes) {
		header = records + fits;
		if (fits + header->size > room)
			break;
		if (header->type == PERF_RECORD_SAMPLE)
			tally->samples[event_index(stream, records + fits)]++;
		fits += header->size;
	}
	return fits;
}

static void count_delivered(struct tprof_stream *stream, u32 cpu,
			    const struct tally *tally)
{
	struct tprof_counts *counts;
	u32 i;

	for (i = 0; i < TPROF_LX_MAX_EVENTS; i++) {
		if (!tally->samples[i])
			continue;
		counts = &stream->lanes[cpu]->counts[i];
		WRITE_ONCE(counts->delivered,
			   counts->delivered + tally->samples[i]);
	}
}

/* Remove @bytes of the oldest records, which have the samples in @tally. */
static void remove_records(struct tprof_stream *stream, u32 bytes,
			   const struct tally *tally)
{
	count_delivered(stream, stream->fifo.cpu, tally);
	tprof_fifo_pop(&stream->fifo, bytes);
}

/**
 * struct copy - progress of read(2)
 * @buf:	where the next record goes
 * @room:	bytes from @buf to the end of the buffer
 * @done:	bytes before @buf
 * @wanted:	bytes at @buf that the next records need
 */
struct copy {
	char __user	*buf;
	size_t		room;
	size_t		done;
	u32		wanted;
};

/*
 * How many bytes to copy at once, so that few pages must be present at the same time. Any
 * record fits.
 */
#define COPY_BYTES	(128UL << 10)

/*
 * Copy records of one chunk. They leave the fifo only after all were copied, so a fault loses
 * no record. Return 1; 0 if there are none; -EINVAL; -EFAULT.
 */
static int copy_some(struct tprof_stream *stream, struct copy *copy)
{
	struct tally tally;
	const void *records;
	u32 bytes;

	records = tprof_fifo_peek(&stream->fifo, &bytes);
	if (!records)
		return 0;
	copy->wanted = survey_records(stream, records, bytes, min(copy->room, COPY_BYTES), &tally);
	if (!copy->wanted)
		return -EINVAL;
	if (copy_to_user_nofault(copy->buf, records, copy->wanted))
		return -EFAULT;
	remove_records(stream, copy->wanted, &tally);
	copy->buf += copy->wanted;
	copy->room -= copy->wanted;
	copy->done += copy->wanted;
	return 1;
}

/* Remove the whole records in the first @bytes of the oldest chunk. Return their length. */
static u32 remove_chunk(struct tprof_stream *stream, u32 bytes)
{
	struct tally tally;
	const void *records;
	u32 length, fits;

	records = tprof_fifo_peek(&stream->fifo, &length);
	if (!records)
		return 0;
	fits = survey_records(stream, records, length, bytes, &tally);
	remove_records(stream, fits, &tally);
	return fits;
}

/* Restart the worker if it had found the fifo full, and half of the fifo is free now. */
static void offer_room(struct tprof_stream *stream)
{
	/* Barrier I, pairs with tprof_pass_run(): free space before reading is_stuck. */
	smp_mb();
	if (READ_ONCE(stream->is_stuck) && tprof_stream_has_room(stream))
		tprof_stream_kick(stream);
}

/* Note that @bytes were removed from the fifo. */
static void note_removed(struct tprof_stream *stream, size_t bytes)
{
	WRITE_ONCE(stream->bytes_read, stream->bytes_read + bytes);
	offer_room(stream);
}

/* Copy records until none is left, none fits, or a page is absent. */
static int copy_present(struct tprof_stream *stream, struct copy *copy)
{
	size_t before = copy->done;
	int ret;

	if (mutex_lock_interruptible(&stream->read_lock))
		return -ERESTARTSYS;
	do {
		cond_resched();
		ret = stream->lanes ? copy_some(stream, copy) : 0;
	} while (ret > 0);
	if (copy->done > before)
		note_removed(stream, copy->done - before);
	mutex_unlock(&stream->read_lock);
	return ret;
}

/* How often to let the kernel provide pages that are absent again when they are needed. */
#define FAULT_TRIES	16

/*
 * Copy records until none is left, or none fits. Return the number of bytes, or -errno if none
 * was copied.
 */
static ssize_t copy_records(struct tprof_stream *stream, char __user *buf, size_t room)
{
	struct copy copy = { .buf = buf, .room = room };
	size_t before;
	int ret, tries = 0;

	do {
		before = copy.done;
		ret = copy_present(stream, &copy);
		tries = copy.done > before ? 0 : tries + 1;
	} while (ret == -EFAULT && tries < FAULT_TRIES && !signal_pending(current) &&
		 !fault_in_safe_writeable(copy.buf, copy.wanted));
	if (copy.done)
		return copy.done;
	return ret == -EFAULT && signal_pending(current) ? -ERESTARTSYS : ret;
}

static bool is_readable(struct tprof_stream *stream)
{
	return !tprof_fifo_is_empty(&stream->fifo) ||
	       tprof_reader_is_at_end(stream);
}

/**
 * tprof_reader_read - serve read(2)
 * @stream:	stream of a session
 * @buf:	buffer of the user
 * @room:	length of @buf
 * @nonblock:	return -EAGAIN instead of waiting
 *
 * Context: process, may sleep.
 * Return: number of bytes copied, as many whole records as are in the fifo and fit
 * into @buf; 0 at the end of the stream; -EAGAIN; -EINVAL when the next record does
 * not fit; -EFAULT; -ERESTARTSYS.
 */
ssize_t tprof_reader_read(struct tprof_stream *stream, char __user *buf,
			  size_t room, bool nonblock)
{
	ssize_t ret;

	for (;;) {
		/*
		 * Check for the end before copying: between the copy and a later
		 * check, the worker could add records.
		 */
		bool is_at_end = tprof_reader_is_at_end(stream);

		ret = copy_records(stream, buf, room);
		if (ret || is_at_end)
			return ret;
		if (nonblock)
			return -EAGAIN;
		if (wait_event_interruptible(stream->waiters,
					     is_readable(stream)))
			return -ERESTARTSYS;
	}
}

/*
 * Remove the records that the caller of ADVANCE has read in its mapping. Leave a record of
 * which @span has only a part.
 */
static int remove_span(struct tprof_stream *stream, const struct tprof_lx_span *span)
{
	u32 fits, done = 0;

	if (!span->bytes)
		return 0;
	if (!stream->lanes || span->bytes > tprof_fifo_bytes(&stream->fifo) ||
	    span->offset != tprof_fifo_offset(&stream->fifo))
		return -EINVAL;
	do {
		fits = remove_chunk(stream, span->bytes - done);
		done += fits;
	} while (fits && done < span->bytes);
	note_removed(stream, done);
	return 0;
}

/**
 * tprof_reader_advance - serve ADVANCE
 * @stream:	stream of a session
 * @span:	in: records to remove; out: the records after them
 *
 * Context: process, may sleep.
 * Return: 0; -EINVAL if @span does not begin with the oldest record, or has more bytes
 * than can be read; -ERESTARTSYS.
 */
int tprof_reader_advance(struct tprof_stream *stream, struct tprof_lx_span *span)
{
	bool is_drained;
	int err;

	if (mutex_lock_interruptible(&stream->read_lock))
		return -ERESTARTSYS;
	err = remove_span(stream, span);
	/* As in tprof_reader_read(), check for the end before looking for records. */
	is_drained = tprof_stream_is_drained(stream);
	span->bytes = tprof_fifo_bytes(&stream->fifo);
	span->offset = tprof_fifo_offset(&stream->fifo);
	span->is_end = is_drained && !span->bytes;
	mutex_unlock(&stream->read_lock);
	return err;
}

/**
 * tprof_reader_end_mmap - let no task map the queue any more, until it is replaced
 * @stream:	stream of a session
 *
 * Context: process, under the session lock.
 * Return: 0; -EBUSY if a page of the queue is mapped or otherwise in use.
 */
int tprof_reader_end_mmap(struct tprof_stream *stream)
{
	const struct tprof_mirror *mirror = &stream->fifo_mirror;
	int err = 0;
	u32 i;

	mutex_lock(&stream->map_lock);
	for (i = 0; i < mirror->nr_pages && !err; i++)
		err = page_ref_count(mirror->pages[i]) > 1 ? -EBUSY : 0;
	stream->is_unmappable = !err;
	mutex_unlock(&stream->map_lock);
	return err;
}

/**
 * tprof_reader_mmap - serve mmap(2): map the buffer of the fifo
 * @stream:	stream of a session
 * @vma:	the new mapping
 *
 * The mapping holds references to the pages. So it stays valid after the fifo was freed.
 *
 * Context: process, may sleep, under the lock of the address space. The read lock may be held
 * for long, so it must not be taken here.
 * Return: 0; -EINVAL if the mapping is not shared; -EPERM if it is writable; -ENXIO if
 * there is no fifo, or if the fifo is smaller than the mapping; -ENOMEM.
 */
int tprof_reader_mmap(struct tprof_stream *stream, struct vm_area_struct *vma)
{
	const struct tprof_mirror *mirror = &stream->fifo_mirror;
	int err;

	/* The kernel clears VM_SHARED if the file is open for reading only. */
	if (!(vma->vm_flags & VM_MAYSHARE))
		return -EINVAL;
	if (vma->vm_flags & (VM_WRITE | VM_EXEC))
		return -EPERM;
	vm_flags_mod(vma, VM_DONTCOPY | VM_DONTEXPAND | VM_DONTDUMP,
		     VM_MAYWRITE | VM_MAYEXEC);
	mutex_lock(&stream->map_lock);
	if (mirror->pages && !stream->is_unmappable)
		err = vm_map_pages(vma, mirror->pages, 2 * mirror->nr_pages);
	else
		err = -ENXIO;
	mutex_unlock(&stream->map_lock);
	return err;
}

/**
 * tprof_reader_poll - serve poll(2)
 * @stream:	stream of a session
 * @file:	open file of the session
 * @table:	poll table of the waiting task
 *
 * Context: process.
 * Return: EPOLLIN | EPOLLRDNORM if a record can be read; EPOLLIN | EPOLLHUP if all
 * records since the last START were read; 0 otherwise, and before the first START.
 */
__poll_t tprof_reader_poll(struct tprof_stream *stream, struct file *file,
			   poll_table *table)
{
	poll_wait(file, &stream->waiters, table);
	/*
	 * poll_wait() has no barrier before Linux 6.13. With this barrier, either
	 * wake_waiters() sees this task, or this task sees the worker's writes.
	 */
	smp_mb();
	if (tprof_reader_is_at_end(stream))
		return READ_ONCE(stream->starts) ? EPOLLIN | EPOLLHUP : 0;
	return tprof_fifo_is_empty(&stream->fifo) ? 0 :
						   EPOLLIN | EPOLLRDNORM;
}
