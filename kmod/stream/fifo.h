/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the queue of finished records between worker and reader
 *
 * The queue is a kfifo of bytes that holds records only, so the reader can take all of
 * them at once. It may also map the buffer into its address space. A second kfifo
 * divides the bytes into chunks of whole records of one CPU. It names the CPU of each
 * chunk, because the reader counts the delivered samples in the CPU's ledger.
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
 * struct tprof_fifo_chunk - adjacent records of one CPU
 * @cpu:	CPU that wrote the records
 * @bytes:	length of the records
 */
struct tprof_fifo_chunk {
	u32	cpu;
	u32	bytes;
};

/**
 * struct tprof_fifo - the queue
 * @kfifo:	positions and buffer of the records
 * @chunks:	the chunks that @kfifo consists of, except the first one if the reader has
 *		begun to read it
 * @chunk_buffer: memory of @chunks
 * @left:	number of bytes of the first chunk that are not read yet, 0 if the reader
 *		has not begun to read it; only used by the reader
 * @cpu:	CPU of the first chunk; only used by the reader
 */
struct tprof_fifo {
	struct kfifo	kfifo;
	DECLARE_KFIFO_PTR(chunks, struct tprof_fifo_chunk);
	void		*chunk_buffer;
	u32		left;
	u32		cpu;
};

size_t tprof_fifo_memory(u32 bytes);
int tprof_fifo_init(struct tprof_fifo *fifo, void *mirror, u32 bytes);
void tprof_fifo_free(struct tprof_fifo *fifo);
u32 tprof_fifo_bytes(struct tprof_fifo *fifo);
u32 tprof_fifo_offset(const struct tprof_fifo *fifo);

/* Return true if no record can be read. See tprof_fifo_bytes(). */
static inline bool tprof_fifo_is_empty(struct tprof_fifo *fifo)
{
	return !tprof_fifo_bytes(fifo);
}

u32 tprof_fifo_room(struct tprof_fifo *fifo);
bool tprof_fifo_is_half_free(struct tprof_fifo *fifo);
void tprof_fifo_push(struct tprof_fifo *fifo, int cpu, const void *records,
		     u32 bytes);

const void *tprof_fifo_peek(struct tprof_fifo *fifo, u32 *bytes);
void tprof_fifo_pop(struct tprof_fifo *fifo, u32 bytes);

#endif /* TPROF_FIFO_H */
