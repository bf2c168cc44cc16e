// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the queue of finished records between worker and reader
 *
 * Context: process. The worker is the only writer; one task reads at a time.
 */
#include "stream/fifo.h"

/**
 * tprof_fifo_init - make an empty queue
 * @fifo:	queue
 * @mirror:	memory, mapped twice in a row
 * @bytes:	size of one mapping, a power of two
 */
void tprof_fifo_init(struct tprof_fifo *fifo, void *mirror, u32 bytes)
{
	kfifo_init(&fifo->kfifo, mirror, bytes);
	fifo->left = 0;
}

/**
 * tprof_fifo_is_empty - report whether no record can be read
 * @fifo:	queue
 *
 * The worker adds the head of a chunk first, and then all of its records at once.
 * In between, a queue that has only the head counts as empty.
 *
 * Context: any. The result is only a hint unless the caller is the reader.
 * Return: true if no record can be read.
 */
bool tprof_fifo_is_empty(struct tprof_fifo *fifo)
{
	u32 bytes;

	/* Races with the worker, and with the reader if the caller is another task. */
	bytes = data_race(kfifo_len(&fifo->kfifo));
	return !READ_ONCE(fifo->left) &&
	       bytes <= sizeof(struct tprof_fifo_chunk);
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
	/* Races with the reader or, if the reader calls this, with the worker. */
	u32 room = data_race(kfifo_avail(&fifo->kfifo));

	return room > sizeof(struct tprof_fifo_chunk) ?
		       room - sizeof(struct tprof_fifo_chunk) : 0;
}

/**
 * tprof_fifo_push - append a chunk of records
 * @fifo:	queue
 * @cpu:	CPU that wrote the records
 * @records:	whole records
 * @bytes:	length of @records, at most tprof_fifo_room()
 *
 * Context: the worker.
 */
void tprof_fifo_push(struct tprof_fifo *fifo, int cpu, const void *records,
		     u32 bytes)
{
	const struct tprof_fifo_chunk chunk = { .cpu = cpu, .bytes = bytes };

	/*
	 * Races with the reader. That is harmless: kfifo_in() writes only where the
	 * reader has freed space, and the reader reads only what kfifo_in() has
	 * published.
	 */
	data_race(kfifo_in(&fifo->kfifo, (const u8 *)&chunk, sizeof(chunk)));
	/* Races with the reader, too. */
	data_race(kfifo_in(&fifo->kfifo, (const u8 *)records, bytes));
}

static const void *front_record(struct tprof_fifo *fifo)
{
	const struct __kfifo *kfifo = &fifo->kfifo.kfifo;

	return kfifo->data + (kfifo->out & kfifo->mask);
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
	const struct tprof_fifo_chunk *chunk;

	if (tprof_fifo_is_empty(fifo))
		return NULL;
	/*
	 * Pairs with the barrier in kfifo_in(): read the length of the queue before the
	 * records.
	 */
	smp_rmb();
	if (!fifo->left) {
		chunk = front_record(fifo);
		fifo->cpu = chunk->cpu;
		WRITE_ONCE(fifo->left, chunk->bytes);
		skip_records(fifo, sizeof(*chunk));
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
	WRITE_ONCE(fifo->left, fifo->left - bytes);
	skip_records(fifo, bytes);
}
