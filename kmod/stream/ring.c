// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - a ring of records, one per CPU and session
 *
 * See ring.h for the picture and the barriers A and B.
 *
 * Context: writers in any context on the CPU that owns the ring, not
 * preemptible; the consumer anywhere. No locks, no allocation.
 */
#include "stream/ring.h"

/* Room for an MMAP2 record with a path of PATH_MAX, and for a few short records. */
#define SIDE_BYTES_MIN	8192UL

/**
 * tprof_ring_sample_bytes - return how much of a ring samples may use
 * @bytes:	size of the ring
 *
 * min(@bytes / 2, max(@bytes / 8, SIDE_BYTES_MIN)) is reserved for side-band records,
 * so that a flood of samples cannot displace the record that names their task.
 *
 * Return: number of bytes. A longer sample never fits.
 */
unsigned long tprof_ring_sample_bytes(unsigned long bytes)
{
	return bytes - min(bytes / 2, max(bytes / 8, SIDE_BYTES_MIN));
}

/**
 * tprof_ring_init - make an empty ring
 * @mirror:	@bytes of memory, mapped twice in a row, 8-byte aligned
 * @bytes:	size, a power of two
 */
void tprof_ring_init(struct tprof_ring *ring, void *mirror, unsigned long bytes)
{
	ring->data = mirror;
	ring->bytes = bytes;
	ring->sample_bytes = tprof_ring_sample_bytes(bytes);
	local_set(&ring->reserved, 0);
	local_set(&ring->nest, 0);
	ring->head = 0;
	ring->tail = 0;
	/* A pass that has begun must not move the records of the ring that this one replaces. */
	ring->snapshot = 0;
}

/**
 * tprof_ring_is_busy - report whether a record may be incomplete or not published
 *
 * A writer is inside from tprof_ring_begin_below() to tprof_ring_end(), or from
 * tprof_ring_nmi_begin() to tprof_ring_nmi_end(), and reads the time of its
 * record there. Even if no writer is inside, a record can still be unpublished: a
 * writer interrupted tprof_ring_end(), which is about to publish that writer's
 * record. So the ring is busy, too, while @head is before @reserved. If
 * the result is false, every record with a time before the call is published,
 * that is, lies before tprof_ring_head().
 *
 * Context: the consumer.
 * Return: true if a writer is inside or a record is not published.
 */
bool tprof_ring_is_busy(const struct tprof_ring *ring)
{
	unsigned long reserved;

	if (local_read(&ring->nest) != 0)
		return true;
	/*
	 * Barrier O, pairs with tprof_ring_end() and tprof_ring_nmi_end(): a
	 * writer increases @reserved before it leaves.
	 */
	smp_rmb();
	reserved = local_read(&ring->reserved);
	/*
	 * Read @head last. If it has passed @reserved by then, all records
	 * before @reserved are published.
	 */
	smp_rmb();
	return (long)(reserved - READ_ONCE(ring->head)) > 0;
}

/**
 * tprof_ring_head - return the end of the published records
 *
 * Context: the consumer.
 * Return: position of the end, free-running like all positions.
 */
unsigned long tprof_ring_head(const struct tprof_ring *ring)
{
	/* Barrier B, pairs with tprof_ring_end(), tprof_ring_nmi_end(). */
	return smp_load_acquire(&ring->head);
}

/**
 * tprof_ring_note_end - begin a pass: note the end of the published records
 *
 * Context: the consumer.
 */
void tprof_ring_note_end(struct tprof_ring *ring)
{
	ring->snapshot = tprof_ring_head(ring);
}

/**
 * tprof_ring_noted - return how much the pass has still to move
 *
 * Context: the consumer.
 * Return: bytes from the oldest record to the end that tprof_ring_note_end() has noted.
 */
unsigned long tprof_ring_noted(const struct tprof_ring *ring)
{
	return ring->snapshot - ring->tail;
}

/**
 * tprof_ring_peek - find the oldest records
 * @ring:	ring that is not empty
 *
 * Context: the consumer.
 * Return: the oldest record; the next ones follow without a gap.
 */
const void *tprof_ring_peek(const struct tprof_ring *ring)
{
	return ring->data + (ring->tail & (ring->bytes - 1));
}

/**
 * tprof_ring_consume - free the space of the oldest records
 * @bytes:	length of the records to free
 *
 * Context: the consumer.
 */
void tprof_ring_consume(struct tprof_ring *ring, unsigned long bytes)
{
	/* Barrier A, pairs with tprof_ring_begin_below(), tprof_ring_nmi_begin(). */
	smp_store_release(&ring->tail, ring->tail + bytes);
}
