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

/* A mapping's record with a path of PATH_MAX, and some to go with it. */
#define SIDE_BYTES_MIN	8192UL

/**
 * tprof_ring_sample_bytes - how full samples may make a ring
 * @bytes:	its size
 *
 * An eighth of the ring, but room for the longest path at least, is for
 * side-band alone, so that a flood of samples cannot push out the record that
 * gives them a name.
 *
 * Return: bytes; a longer sample would never fit.
 */
unsigned long tprof_ring_sample_bytes(unsigned long bytes)
{
	return bytes - min(bytes / 2, max(bytes / 8, SIDE_BYTES_MIN));
}

/**
 * tprof_ring_init - make an empty ring
 * @ring:	ring
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
}

/**
 * tprof_ring_begin - take room for a record
 * @ring:	ring of the current CPU
 * @bytes:	length of the record, a multiple of 8
 * @room:	how much of the ring it may use
 *
 * Whatever time the record carries has to be read after this call and before
 * tprof_ring_end(): see tprof_ring_is_busy().
 *
 * Context: any, NMI included, not preemptible.
 * Return: where to write the record, or NULL when the ring is full. Unless it
 * is NULL, tprof_ring_end() must follow.
 */
void *tprof_ring_begin(struct tprof_ring *ring, u32 bytes,
		       enum tprof_ring_room room)
{
	unsigned long limit = room == TPROF_RING_SIDE ? ring->bytes :
							ring->sample_bytes;
	unsigned long start, tail;

	local_inc(&ring->nest);
	do {
		/* A, matches tprof_ring_consume(). */
		tail = smp_load_acquire(&ring->tail);
		start = local_read(&ring->reserved);
		if (unlikely(start + bytes - tail > limit)) {
			tprof_ring_end(ring);
			return NULL;
		}
		/* Fails if a nested writer took this room since the read. */
	} while (local_cmpxchg(&ring->reserved, start, start + bytes) != start);

	return ring->data + (start & (ring->bytes - 1));
}

/**
 * tprof_ring_end - leave the ring, and publish if this was the last inside
 * @ring:	ring of the current CPU
 *
 * A nested writer leaves its record to the outermost one, because what that
 * one took before it is not written yet. A writer that comes after @reserved
 * was read and before @nest is zero is nested too, and would be forgotten;
 * hence the second look.
 *
 * Context: any, NMI included, not preemptible.
 */
void tprof_ring_end(struct tprof_ring *ring)
{
	unsigned long reserved;

	if (local_read(&ring->nest) > 1) {
		local_dec(&ring->nest);
		return;
	}
	for (;;) {
		reserved = local_read(&ring->reserved);
		/* B, matches tprof_ring_head(). */
		smp_store_release(&ring->head, reserved);
		/* Only an interrupt of this CPU is to be kept in order. */
		barrier();
		local_set(&ring->nest, 0);
		barrier();
		if (likely(reserved == local_read(&ring->reserved)))
			return;
		local_inc(&ring->nest);
	}
}

/**
 * tprof_ring_used - how full the ring is
 * @ring:	ring
 *
 * Context: any, NMI included.
 * Return: bytes that were published and not consumed yet.
 */
unsigned long tprof_ring_used(const struct tprof_ring *ring)
{
	/* Races with the consumer; an older tail only says more. */
	return READ_ONCE(ring->head) - READ_ONCE(ring->tail);
}

/**
 * tprof_ring_is_busy - is a writer inside
 * @ring:	ring
 *
 * A record's time is read inside. So once the ring was seen not busy, every
 * record with an earlier time is published, and what the consumer then takes
 * up to tprof_ring_head() is complete up to that moment.
 *
 * Context: the consumer.
 * Return: true if so.
 */
bool tprof_ring_is_busy(const struct tprof_ring *ring)
{
	return local_read(&ring->nest) != 0;
}

/**
 * tprof_ring_head - end of what may be read
 * @ring:	ring
 *
 * Context: the consumer.
 * Return: a position, as the tail is.
 */
unsigned long tprof_ring_head(const struct tprof_ring *ring)
{
	/* B, matches tprof_ring_end(). */
	return smp_load_acquire(&ring->head);
}

/**
 * tprof_ring_peek - the oldest records
 * @ring:	ring that is not empty
 *
 * Context: the consumer.
 * Return: the first record; those after it follow without a gap.
 */
const void *tprof_ring_peek(const struct tprof_ring *ring)
{
	return ring->data + (ring->tail & (ring->bytes - 1));
}

/**
 * tprof_ring_consume - give room back
 * @ring:	ring
 * @bytes:	how much of the oldest
 *
 * Context: the consumer.
 */
void tprof_ring_consume(struct tprof_ring *ring, unsigned long bytes)
{
	/* A, matches tprof_ring_begin(). */
	smp_store_release(&ring->tail, ring->tail + bytes);
}
