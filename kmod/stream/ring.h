/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - a ring of records, one per CPU and session
 *
 * One CPU writes, from any context: a writer may be interrupted by another
 * (task < softirq < hard interrupt < NMI), which then finishes first. One
 * consumer reads, the flush worker. An NMI cannot wait, so a full ring
 * refuses the record and the caller counts the loss.
 *
 * All positions run freely and are masked on use. Each writer takes its room
 * by moving @reserved; the outermost one, when it leaves, publishes all that
 * was taken until then by moving @head:
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
 * An NMI is never interrupted by another writer. So it takes its room last, when
 * it knows how long its record has become (tprof_ring_nmi_begin()).
 *
 * A: the acquire of tail orders our writes after the consumer's reads of what
 * was there before. B: the release of head makes the record visible before
 * its room is.
 *
 * @busy shows the consumer that a writer is inside, so that it can wait for
 * the records whose time was already taken (tprof_ring_is_busy()).
 *
 * The memory is mapped twice in a row (mirror.h), so a record is contiguous
 * wherever it starts. Compiles in user space, for the unit tests.
 */
#ifndef TPROF_RING_H
#define TPROF_RING_H

#include "stream/ring_types.h"

/**
 * struct tprof_ring - see above
 * @data:	the buffer, twice in a row; constant
 * @bytes:	its size once, a power of two; constant
 * @sample_bytes: how full samples may make it; the rest is for side-band
 * @reserved:	end of what writers took; owning CPU only
 * @nest:	writers inside; owning CPU writes, consumer peeks
 * @head:	end of what may be read; owning CPU writes, consumer reads
 * @tail:	start of it; consumer writes, owning CPU reads
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
 * @TPROF_RING_SAMPLES:	all but the slice for side-band
 * @TPROF_RING_SIDE:	all
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

bool tprof_ring_is_busy(const struct tprof_ring *ring);
unsigned long tprof_ring_head(const struct tprof_ring *ring);
const void *tprof_ring_peek(const struct tprof_ring *ring);
void tprof_ring_consume(struct tprof_ring *ring, unsigned long bytes);

/**
 * tprof_ring_used - return the fill level of a ring
 * @ring:	ring
 *
 * Context: any, NMI included.
 * Return: bytes that are published and not yet consumed.
 */
static __always_inline unsigned long
tprof_ring_used(const struct tprof_ring *ring)
{
	/* Races with the consumer. A stale tail only gives a higher level. */
	return READ_ONCE(ring->head) - READ_ONCE(ring->tail);
}

/**
 * tprof_ring_nmi_begin - find room for a sample, in an NMI
 * @ring:	ring of the current CPU
 * @bytes:	the longest that the record may become, a multiple of 8
 *
 * No room is taken yet: tprof_ring_nmi_end() does that. Read the time of the
 * record in between, as with tprof_ring_begin().
 *
 * Context: NMI.
 * Return: where to write the record, and then tprof_ring_nmi_end() must follow;
 * or NULL when the ring has not so much room for samples.
 */
static __always_inline void *tprof_ring_nmi_begin(struct tprof_ring *ring,
						  u32 bytes)
{
	/* A, pairs with tprof_ring_consume(). */
	unsigned long tail = smp_load_acquire(&ring->tail);
	unsigned long start = local_read(&ring->reserved);

	if (unlikely(start + bytes - tail > ring->sample_bytes))
		return NULL;
	local_inc(&ring->nest);
	return ring->data + (start & (ring->bytes - 1));
}

/**
 * tprof_ring_nmi_end - take the room of the record that was written, and leave
 * @ring:	ring of the current CPU
 * @bytes:	length of the record, a multiple of 8
 *
 * If the NMI has interrupted a writer, that one publishes both records.
 *
 * Context: NMI, after tprof_ring_nmi_begin().
 */
static __always_inline void tprof_ring_nmi_end(struct tprof_ring *ring,
					       u32 bytes)
{
	unsigned long reserved = local_read(&ring->reserved) + bytes;

	local_set(&ring->reserved, reserved);
	if (likely(local_read(&ring->nest) == 1))
		/* B, pairs with tprof_ring_head(). */
		smp_store_release(&ring->head, reserved);
	/* Publish before the consumer may see the ring not busy. */
	barrier();
	local_dec(&ring->nest);
}

#endif /* TPROF_RING_H */
