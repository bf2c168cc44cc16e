/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - a ring of records, one per CPU and session
 *
 * Only the CPU that owns the ring writes, from any context. While it is offline, one other
 * CPU may write. A writer may be interrupted by a writer in a higher context (task < softirq
 * < hard interrupt < NMI), which finishes first. The only consumer is the worker (stream.c).
 * An NMI cannot wait, so when the ring is full, the record is refused and the caller counts
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
 * No writer interrupts an NMI. So an NMI writes its record first and reserves the space
 * afterwards, when the length of the record is known (tprof_ring_nmi_begin()).
 *
 * Barrier A: writers overwrite space only after the consumer has read the old records
 * in it. Barrier B: the consumer reads a record only after it was written.
 *
 * A nonzero @nest shows the consumer that a writer is inside, between
 * tprof_ring_begin_below() and tprof_ring_end(), or between tprof_ring_nmi_begin() and
 * tprof_ring_nmi_end(). The consumer waits until @nest is 0 and all reserved space is
 * published, because the writer may already have read the time of its record: see
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
 * @sample_bytes: fill level up to which samples may use the ring; only
 *		side-band records may use the space above this level; constant
 * @reserved:	end of the space that writers reserved; written by the owning CPU, read by
 *		the consumer
 * @nest:	number of writers inside; written by the owning CPU, read by the
 *		consumer
 * @head:	end of the published records; written by the owning CPU, read by the
 *		consumer
 * @tail:	start of the published records; written by the consumer, read by the
 *		owning CPU
 * @snapshot:	position up to which the pass under way moves records; only used by the
 *		consumer
 */
struct tprof_ring {
	u8		*data;
	unsigned long	bytes;
	unsigned long	sample_bytes;
	local_t		reserved;
	local_t		nest;
	unsigned long	head;
	unsigned long	tail ____cacheline_aligned_in_smp;
	unsigned long	snapshot;
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

bool tprof_ring_is_busy(const struct tprof_ring *ring);
unsigned long tprof_ring_head(const struct tprof_ring *ring);
void tprof_ring_note_end(struct tprof_ring *ring);
unsigned long tprof_ring_noted(const struct tprof_ring *ring);
const void *tprof_ring_peek(const struct tprof_ring *ring);
void tprof_ring_consume(struct tprof_ring *ring, unsigned long bytes);

/**
 * tprof_ring_used - return the fill level of a ring
 *
 * Context: the consumer.
 * Return: bytes that are published and not yet consumed. Writers may publish more meanwhile.
 */
static __always_inline unsigned long
tprof_ring_used(const struct tprof_ring *ring)
{
	return READ_ONCE(ring->head) - READ_ONCE(ring->tail);
}

/**
 * tprof_ring_reserved - return the fill level of a ring, as a writer sees it
 * @ring:	ring of the current CPU
 *
 * Context: any, NMI included, not preemptible.
 * Return: bytes that are reserved and not yet consumed, published or not.
 */
static __always_inline unsigned long tprof_ring_reserved(const struct tprof_ring *ring)
{
	/* Races with the consumer. A stale tail only gives a higher level. */
	return local_read(&ring->reserved) - READ_ONCE(ring->tail);
}

/**
 * tprof_ring_is_half_free - report whether half of the samples' part of a ring is free
 *
 * Context: the consumer.
 * Return: true if samples may fill as much as is in use, or more.
 */
static inline bool tprof_ring_is_half_free(const struct tprof_ring *ring)
{
	return tprof_ring_used(ring) <= ring->sample_bytes / 2;
}

/**
 * tprof_ring_end - leave the ring; the outermost writer publishes the records
 * @ring:	ring of the current CPU
 *
 * A nested writer cannot publish its own record, because the record of the outermost
 * writer lies before it and may not be written yet. So the outermost writer
 * publishes both. After it has read @reserved and before @nest is 0, another nested
 * writer may increase @reserved. The comparison at the end detects that, and the
 * loop publishes the record of that writer, too. Until then, @nest may be 0 although
 * this record is not published: see tprof_ring_is_busy().
 *
 * Context: any, NMI included, not preemptible.
 */
static __always_inline void tprof_ring_end(struct tprof_ring *ring)
{
	unsigned long reserved;

	if (unlikely(local_read(&ring->nest) > 1)) {
		local_dec(&ring->nest);
		return;
	}
	for (;;) {
		reserved = local_read(&ring->reserved);
		/* Barrier B, pairs with tprof_ring_head(). */
		smp_store_release(&ring->head, reserved);
		/*
		 * Barrier O, pairs with tprof_ring_is_busy(). Compiler barriers
		 * suffice. The consumer sees @head and @reserved change before @nest,
		 * because x86 does not reorder stores. Only interrupts of this CPU
		 * change @reserved.
		 */
		barrier();
		local_set(&ring->nest, 0);
		barrier();
		if (likely(reserved == local_read(&ring->reserved)))
			return;
		local_inc(&ring->nest);
	}
}

/**
 * tprof_ring_begin_below - reserve space for a record below a fill level
 * @ring:	ring of the current CPU
 * @bytes:	length of the record, a multiple of 8
 * @limit:	maximum fill level with the record; for a sample, at most @ring->sample_bytes
 * @record:	result: address at which the caller writes the record before it calls
 *		tprof_ring_end()
 *
 * The caller reads the time of the record after this call and before tprof_ring_end():
 * see tprof_ring_is_busy().
 *
 * Context: any, NMI included, not preemptible.
 * Return: false, and nothing is reserved, if the record would exceed @limit.
 */
static __always_inline bool tprof_ring_begin_below(struct tprof_ring *ring, u32 bytes,
						   unsigned long limit, void **record)
{
	unsigned long start, tail;

	local_inc(&ring->nest);
	do {
		/* Barrier A, pairs with tprof_ring_consume(). */
		tail = smp_load_acquire(&ring->tail);
		start = local_read(&ring->reserved);
		if (unlikely(start + bytes - tail > limit)) {
			tprof_ring_end(ring);
			return false;
		}
		/*
		 * The cmpxchg fails if a nested writer reserved space since
		 * local_read(): retry.
		 */
	} while (unlikely(local_cmpxchg(&ring->reserved, start, start + bytes) != start));

	*record = ring->data + (start & (ring->bytes - 1));
	return true;
}

/**
 * tprof_ring_begin - reserve space for a record
 * @ring:	ring of the current CPU
 * @bytes:	length of the record, a multiple of 8
 * @room:	how much of the ring the record may use
 *
 * Context: any, NMI included, not preemptible.
 * Return: address at which the caller writes the record before it calls tprof_ring_end(); NULL if
 * the ring is full.
 */
static __always_inline void *tprof_ring_begin(struct tprof_ring *ring, u32 bytes,
					      enum tprof_ring_room room)
{
	unsigned long limit = room == TPROF_RING_SIDE ? ring->bytes : ring->sample_bytes;
	void *record;

	return tprof_ring_begin_below(ring, bytes, limit, &record) ? record : NULL;
}

/**
 * tprof_ring_nmi_begin - find space for a sample, in an NMI
 * @ring:	ring of the current CPU
 * @bytes:	maximum length of the record, a multiple of 8
 * @limit:	maximum fill level with the record, at most @ring->sample_bytes
 * @record:	result: address at which the caller writes the record before it calls
 *		tprof_ring_nmi_end()
 *
 * The caller reads the time of the record after this call and before
 * tprof_ring_nmi_end(), which reserves the space: see tprof_ring_is_busy().
 *
 * Context: NMI.
 * Return: false, and nothing has been done, if the record could exceed @limit.
 */
static __always_inline bool tprof_ring_nmi_begin(struct tprof_ring *ring, u32 bytes,
						 unsigned long limit, void **record)
{
	/* Barrier A, pairs with tprof_ring_consume(). */
	unsigned long tail = smp_load_acquire(&ring->tail);
	unsigned long start = local_read(&ring->reserved);

	if (unlikely(start + bytes - tail > limit))
		return false;
	local_inc(&ring->nest);
	*record = ring->data + (start & (ring->bytes - 1));
	return true;
}

/**
 * tprof_ring_nmi_has_room - report whether the record that is being written may become longer
 * @ring:	ring of the current CPU
 * @bytes:	length of the record then
 * @limit:	maximum fill level with the record, at most @ring->sample_bytes
 *
 * Context: NMI, between tprof_ring_nmi_begin() and tprof_ring_nmi_end().
 * Return: false if the record would exceed @limit.
 */
static __always_inline bool tprof_ring_nmi_has_room(const struct tprof_ring *ring, u32 bytes,
						    unsigned long limit)
{
	/* Barrier A, pairs with tprof_ring_consume(). */
	unsigned long tail = smp_load_acquire(&ring->tail);

	return local_read(&ring->reserved) + bytes - tail <= limit;
}

/**
 * tprof_ring_nmi_end - reserve the space of the record that was written, and leave the ring
 * @ring:	ring of the current CPU
 * @bytes:	length of the record, a multiple of 8
 *
 * If the NMI interrupted a writer, that writer publishes both records in
 * tprof_ring_end().
 *
 * Context: NMI, after tprof_ring_nmi_begin().
 */
static __always_inline void tprof_ring_nmi_end(struct tprof_ring *ring,
					       u32 bytes)
{
	unsigned long reserved = local_read(&ring->reserved) + bytes;

	local_set(&ring->reserved, reserved);
	if (likely(local_read(&ring->nest) == 1)) {
		/* Barrier B, pairs with tprof_ring_head(). */
		smp_store_release(&ring->head, reserved);
	}
	/*
	 * Barrier O, pairs with tprof_ring_is_busy(): set @reserved and @head before
	 * @nest, as the consumer reads them after it has seen @nest at 0.
	 */
	barrier();
	local_dec(&ring->nest);
}

#endif /* TPROF_RING_H */
