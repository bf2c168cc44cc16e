/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - a ring of records, one per CPU and session
 *
 * Only the CPU that owns the ring writes, from any context. A writer may be
 * interrupted by a writer in a higher context (task < softirq < hard interrupt <
 * NMI), which finishes first. The only consumer is the worker (stream.c). An NMI
 * cannot wait, so when the ring is full, the record is refused and the caller counts
 * the loss.
 *
 * All positions are free-running and are masked on use. A writer reserves space by
 * advancing @reserved. When the outermost writer leaves, it sets @head to @reserved,
 * and so publishes its own record and those of the writers that interrupted it:
 *
 *        tail            head        reserved
 *     ----+---------------+-------------+------------------
 *         | may be read   | being       | free, up to
 *         |               | written     | tail + size
 *
 *   writer (CPU of the ring)            consumer (any CPU)
 *
 *   load tail          (A)              load head          (B)
 *   write record                        read records
 *   store head release (B)              store tail release (A)
 *
 * Barrier A: writers overwrite space only after the consumer has read the old records
 * in it. Barrier B: the consumer reads a record only after it was written.
 *
 * A nonzero @nest shows the consumer that a writer is inside, between
 * tprof_ring_begin() and tprof_ring_end(). The consumer waits until @nest is 0,
 * because the writer may already have read the time of its record: see
 * tprof_ring_is_busy().
 *
 * The memory is mapped twice in a row (mirror.h), so a record is contiguous wherever it
 * starts. ring.c and ring.h also compile in user space, for the unit tests.
 */
#ifndef TPROF_RING_H
#define TPROF_RING_H

#include "stream/ring_types.h"

/**
 * struct tprof_ring - a ring of records: see above
 * @data:	the buffer, twice in a row; constant
 * @bytes:	size of one mapping of @data, a power of two; constant
 * @sample_bytes: fill level up to which samples may use the ring; only side-band
 *		records may fill the rest; constant
 * @reserved:	end of the space that writers reserved; only used by the owning CPU
 * @nest:	number of writers inside; written by the owning CPU, read by the
 *		consumer
 * @head:	end of the published records; written by the owning CPU, read by the
 *		consumer
 * @tail:	start of the published records; written by the consumer, read by the
 *		owning CPU
 */
struct tprof_ring {
	u8		*data;
	unsigned long	bytes;
	unsigned long	sample_bytes;
	local_t		reserved;
	local_t		nest;
	unsigned long	head;
	unsigned long	tail ____cacheline_aligned_in_smp;
};

/**
 * enum tprof_ring_room - how much of the ring a record may use
 * @TPROF_RING_SAMPLES:	for a sample: only the space up to @sample_bytes
 * @TPROF_RING_SIDE:	for a side-band record: all of the space
 */
enum tprof_ring_room {
	TPROF_RING_SAMPLES,
	TPROF_RING_SIDE,
};

void tprof_ring_init(struct tprof_ring *ring, void *mirror,
		     unsigned long bytes);

unsigned long tprof_ring_sample_bytes(unsigned long bytes);

void *tprof_ring_begin(struct tprof_ring *ring, u32 bytes,
		       enum tprof_ring_room room);
void tprof_ring_end(struct tprof_ring *ring);
unsigned long tprof_ring_used(const struct tprof_ring *ring);

bool tprof_ring_is_busy(const struct tprof_ring *ring);
unsigned long tprof_ring_head(const struct tprof_ring *ring);
const void *tprof_ring_peek(const struct tprof_ring *ring);
void tprof_ring_consume(struct tprof_ring *ring, unsigned long bytes);

#endif /* TPROF_RING_H */
