// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the queue of finished records between worker and reader
 *
 * Context: process. The worker is the only writer; one task reads at a time.
 */
#include <linux/errno.h>
#include <linux/slab.h>

#include "base/gfp.h"
#include "stream/fifo.h"

/*
 * A queue has space for one chunk per BYTES_PER_CHUNK bytes. If passes find few records, as
 * with a low watermark, chunks are shorter, and the queue is full before its bytes are.
 */
#define BYTES_PER_CHUNK		128

/* The length of a record is a u16. */
#define LONGEST_RECORD		((u32)U16_MAX + 1)

/**
 * tprof_fifo_memory - return the memory of a queue
 * @bytes:	its size
 *
 * Return: number of bytes, those of the list of chunks included.
 */
size_t tprof_fifo_memory(u32 bytes)
{
	return bytes + bytes / BYTES_PER_CHUNK * sizeof(struct tprof_fifo_chunk);
}

/**
 * tprof_fifo_init - make an empty queue
 * @fifo:	queue
 * @mirror:	memory, mapped twice in a row
 * @bytes:	size of one mapping, a power of two
 *
 * Context: process, may sleep.
 * Return: 0 or -ENOMEM.
 */
int tprof_fifo_init(struct tprof_fifo *fifo, void *mirror, u32 bytes)
{
	size_t size = bytes / BYTES_PER_CHUNK * sizeof(struct tprof_fifo_chunk);

	fifo->chunk_buffer = kvmalloc(size, TPROF_PAGE_GFP);
	if (!fifo->chunk_buffer)
		return -ENOMEM;
	kfifo_init(&fifo->chunks, fifo->chunk_buffer, size);
	kfifo_init(&fifo->kfifo, mirror, bytes);
	fifo->left = 0;
	return 0;
}

/**
 * tprof_fifo_free - free what tprof_fifo_init() has allocated
 * @fifo:	queue that is no longer used
 *
 * Context: process, may sleep.
 */
void tprof_fifo_free(struct tprof_fifo *fifo)
{
	kvfree(fifo->chunk_buffer);
	fifo->chunk_buffer = NULL;
}

/**
 * tprof_fifo_bytes - return the length of the records that can be read
 * @fifo:	queue
 *
 * Context: any. The result is only a hint unless the caller is the reader. For the
 * reader, it is a lower bound: the worker may add more records at any time.
 * Return: number of bytes of whole records.
 */
u32 tprof_fifo_bytes(struct tprof_fifo *fifo)
{
	/* Races with the worker, and with the reader if the caller is another task. */
	return data_race(kfifo_len(&fifo->kfifo));
}

/**
 * tprof_fifo_offset - return where the oldest record is
 * @fifo:	queue
 *
 * Context: the reader.
 * Return: offset in the first mapping of the buffer.
 */
u32 tprof_fifo_offset(const struct tprof_fifo *fifo)
{
	const struct __kfifo *kfifo = &fifo->kfifo.kfifo;

	return kfifo->out & kfifo->mask;
}

/**
 * tprof_fifo_room - return the free space for records of one chunk
 * @fifo:	queue
 *
 * Context: the worker or the reader. In the worker, the result is a lower bound: the
 * reader may free more space at any time.
 * Return: number of bytes that tprof_fifo_push() accepts.
 */
u32 tprof_fifo_room(struct tprof_fifo *fifo)
{
	u32 room;

	/* Races with the reader or, if the reader calls this, with the worker. */
	if (data_race(kfifo_is_full(&fifo->chunks)))
		return 0;
	/* Races in the same way. */
	room = data_race(kfifo_avail(&fifo->kfifo));
	return room;
}

/**
 * tprof_fifo_is_half_free - report whether half of the queue is free
 * @fifo:	queue
 *
 * Context: the worker or the reader. In the worker, more may be free.
 * Return: true if the queue has space for half of its bytes and half of its chunks, and for a
 * record of any length. Else tprof_pass_run() would go on without progress.
 */
bool tprof_fifo_is_half_free(struct tprof_fifo *fifo)
{
	u32 room = tprof_fifo_room(fifo), chunks;

	/* Races as in tprof_fifo_room(). */
	chunks = data_race(kfifo_avail(&fifo->chunks));
	return room >= max_t(u32, kfifo_size(&fifo->kfifo) / 2, LONGEST_RECORD) &&
	       chunks >= kfifo_size(&fifo->chunks) / 2;
}

/**
 * tprof_fifo_push - append a chunk of records
 * @fifo:	queue
 * @cpu:	CPU that wrote the records
 * @records:	whole records
 * @bytes:	length of @records, at least 1 and at most tprof_fifo_room()
 *
 * Context: the worker.
 */
void tprof_fifo_push(struct tprof_fifo *fifo, int cpu, const void *records,
		     u32 bytes)
{
	const struct tprof_fifo_chunk chunk = { .cpu = cpu, .bytes = bytes };

	/*
	 * Both calls race with the reader. That is harmless: they write only where the
	 * reader has freed space, and the reader reads only what they have published.
	 * Publish the chunk first, so that the reader never finds records without a
	 * chunk.
	 */
	data_race(kfifo_put(&fifo->chunks, chunk));
	/* Races with the reader, too. */
	data_race(kfifo_in(&fifo->kfifo, (const u8 *)records, bytes));
}

static const void *front_record(struct tprof_fifo *fifo)
{
	return fifo->kfifo.kfifo.data + tprof_fifo_offset(fifo);
}

static void skip_records(struct tprof_fifo *fifo, u32 bytes)
{
	struct __kfifo *kfifo = &fifo->kfifo.kfifo;

	/*
	 * Barrier C: finish reading the records before the worker sees the new @out,
	 * because kfifo_in() may then overwrite them.
	 */
	smp_store_release(&kfifo->out, kfifo->out + bytes);
}

/**
 * tprof_fifo_peek - find the oldest records, all of one CPU
 * @fifo:	queue
 * @bytes:	out: length of the records
 *
 * Context: the reader.
 * Return: whole records of the CPU @fifo->cpu, or NULL when the queue is empty.
 */
const void *tprof_fifo_peek(struct tprof_fifo *fifo, u32 *bytes)
{
	struct tprof_fifo_chunk chunk;

	if (tprof_fifo_is_empty(fifo))
		return NULL;
	/*
	 * Pairs with the barriers in kfifo_put() and kfifo_in(): read the length of the
	 * queue before the chunk and the records.
	 */
	smp_rmb();
	if (!fifo->left) {
		/* Races with the worker. The chunk was published before its records. */
		if (!data_race(kfifo_get(&fifo->chunks, &chunk)))
			return NULL;
		fifo->cpu = chunk.cpu;
		fifo->left = chunk.bytes;
	}
	*bytes = fifo->left;
	return front_record(fifo);
}

/**
 * tprof_fifo_pop - remove the oldest records
 * @fifo:	queue
 * @bytes:	length of whole records, at most what tprof_fifo_peek() returned
 *
 * Context: the reader.
 */
void tprof_fifo_pop(struct tprof_fifo *fifo, u32 bytes)
{
	fifo->left -= bytes;
	skip_records(fifo, bytes);
}
