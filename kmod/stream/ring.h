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
unsigned long tprof_ring_used(const struct tprof_ring *ring);

bool tprof_ring_is_busy(const struct tprof_ring *ring);
unsigned long tprof_ring_head(const struct tprof_ring *ring);
const void *tprof_ring_peek(const struct tprof_ring *ring);
void tprof_ring_consume(struct tprof_ring *ring, unsigned long bytes);

#endif /* TPROF_RING_H */
