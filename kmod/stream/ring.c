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
 * @bytes:	its size
 *
 * max(@bytes / 8, SIDE_BYTES_MIN) is reserved for side-band, so that a flood of
 * samples cannot displace the record that names their task.
 *
 * Return: bytes. A longer sample never fits.
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
 * Read the time of the record after this call and before tprof_ring_end(): see
 * tprof_ring_is_busy().
 *
 * Context: any, NMI included, not preemptible.
 * Return: where to write the record, and then tprof_ring_end() must follow; or
 * NULL when the ring is full.
 */
void *tprof_ring_begin(struct tprof_ring *ring, u32 bytes,
		       enum tprof_ring_room room)
{
	unsigned long limit = room == TPROF_RING_SIDE ? ring->bytes :
							ring->sample_bytes;
	unsigned long start, tail;

	local_inc(&ring->nest);
	do {
		/* A, pairs with tprof_ring_consume(). */
		tail = smp_load_acquire(&ring->tail);
		start = local_read(&ring->reserved);
		if (unlikely(start + bytes - tail > limit)) {
			tprof_ring_end(ring);
			return NULL;
		}
		/* Fails if a nested writer took this room after the read. */
	} while (local_cmpxchg(&ring->reserved, start, start + bytes) != start);

	return ring->data + (start & (ring->bytes - 1));
}

/**
 * tprof_ring_end - leave the ring; the outermost writer publishes
 * @ring:	ring of the current CPU
 *
 * The outermost writer publishes the records of nested writers, because its own
 * record lies before theirs and may not be written yet. A writer that interrupts
 * after @reserved was read and before @nest is zero is also nested. The second
 * comparison finds its record.
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
		/* B, pairs with tprof_ring_head(). */
		smp_store_release(&ring->head, reserved);
		/* Order against interrupts of this CPU only. */
		barrier();
		local_set(&ring->nest, 0);
		barrier();
		if (likely(reserved == local_read(&ring->reserved)))
			return;
		local_inc(&ring->nest);
	}
}

/**
 * tprof_ring_is_busy - report whether a writer is inside
 * @ring:	ring
 *
 * A writer reads the time of its record inside. Once the consumer has seen the
 * ring not busy, every record with an earlier time is published, and
 * tprof_ring_head() lies behind all of them.
 *
 * Context: the consumer.
 * Return: true if a writer is inside.
 */
bool tprof_ring_is_busy(const struct tprof_ring *ring)
{
	return local_read(&ring->nest) != 0;
}

/**
 * tprof_ring_head - return the end of the published records
 * @ring:	ring
 *
 * Context: the consumer.
 * Return: a position, free-running like the tail.
 */
unsigned long tprof_ring_head(const struct tprof_ring *ring)
{
	/* B, pairs with tprof_ring_end(). */
	return smp_load_acquire(&ring->head);
}

/**
 * tprof_ring_peek - find the oldest records
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
 * tprof_ring_consume - free the room of the oldest records
 * @ring:	ring
 * @bytes:	length of the records to free
 *
 * Context: the consumer.
 */
void tprof_ring_consume(struct tprof_ring *ring, unsigned long bytes)
{
	/* A, pairs with tprof_ring_begin(). */
	smp_store_release(&ring->tail, ring->tail + bytes);
}
