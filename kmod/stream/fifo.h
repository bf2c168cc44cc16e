/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the queue of finished records between worker and reader
 *
 * The queue is a kfifo of bytes that holds chunks. A chunk is a head and then
 * whole records of one CPU. The head names that CPU, because the reader counts
 * the delivered samples in the CPU's ledger.
 *
 * The worker is the only writer, and the read lock admits one reader, so the worker
 * and the reader need no lock between them. The buffer is mapped twice in a row
 * (mirror.h), so each record is contiguous.
 */
#ifndef TPROF_FIFO_H
#define TPROF_FIFO_H

#include <linux/kfifo.h>
#include <linux/types.h>

/**
 * struct tprof_fifo_chunk - head of a chunk
 * @cpu:	CPU that wrote the records
 * @bytes:	length of the records, without the head
 */
struct tprof_fifo_chunk {
	u32	cpu;
	u32	bytes;
};

/**
 * struct tprof_fifo - the queue
 * @kfifo:	positions and buffer of the queue
 * @left:	number of bytes of the first chunk that are not read yet;
 *		written only by the reader
 * @cpu:	CPU of the first chunk; only used by the reader
 */
struct tprof_fifo {
	struct kfifo	kfifo;
	u32		left;
	u32		cpu;
};

void tprof_fifo_init(struct tprof_fifo *fifo, void *mirror, u32 bytes);
bool tprof_fifo_is_empty(struct tprof_fifo *fifo);

u32 tprof_fifo_room(struct tprof_fifo *fifo);
void tprof_fifo_push(struct tprof_fifo *fifo, int cpu, const void *records,
		     u32 bytes);

const void *tprof_fifo_peek(struct tprof_fifo *fifo, u32 *bytes);
void tprof_fifo_pop(struct tprof_fifo *fifo, u32 bytes);

#endif /* TPROF_FIFO_H */
