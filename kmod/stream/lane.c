// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the lane: the records and counts of one CPU for one session
 *
 * Context: lanes are allocated and freed in process context. lane_kick() runs in hard
 * interrupts. The other functions run in any context, NMI included, on the lane's CPU, or on
 * any CPU while that one is offline.
 */
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/slab.h>
#include <linux/topology.h>

#include "base/gfp.h"
#include "stream/lane.h"

/**
 * tprof_lane_request_flush - request a flush, unless one is requested already
 * @lane:	lane of this CPU
 *
 * An NMI cannot start the flush. So the function queues an irq_work, which
 * does. A CPU that is going offline runs its pending irq_works one last time.
 * An irq_work queued after that would make tprof_stream_stop() wait until the
 * CPU is online again, so check cpu_online().
 *
 * Context: any, NMI included, not preemptible.
 */
void tprof_lane_request_flush(struct tprof_lane *lane)
{
	unsigned long *bits = &lane->doorbell->bits;

	if (test_bit(TPROF_DOORBELL_RUNG, bits) || !cpu_online(lane->cpu) ||
	    test_and_set_bit(TPROF_DOORBELL_RUNG, bits))
		return;
	irq_work_queue(&lane->kick);
}

/**
 * tprof_lane_request_urgent_flush - request a flush of all records written so far
 * @lane:	lane of this CPU
 *
 * If a flush is under way, it may have passed the lane, and another one follows.
 *
 * Context: any, NMI included, not preemptible.
 */
void tprof_lane_request_urgent_flush(struct tprof_lane *lane)
{
	set_bit(TPROF_DOORBELL_URGENT, &lane->doorbell->bits);
	/* Barrier W, pairs with time_to_next(): set the bit before reading TPROF_DOORBELL_RUNG. */
	smp_mb__after_atomic();
	tprof_lane_request_flush(lane);
}

/**
 * tprof_lane_begin - reserve space for a record in the ring of this CPU
 * @lane:	lane of this CPU
 * @bytes:	length of the record, a multiple of 8
 * @room:	how much of the ring the record may use
 *
 * If the ring refuses the record, the function requests a flush, because samples alone
 * may never fill the ring up to the watermark.
 *
 * Context: any, NMI included, not preemptible.
 * Return: address at which the caller writes the record before it calls
 * tprof_lane_end(); NULL if the ring is full. The caller then counts the loss.
 */
void *tprof_lane_begin(struct tprof_lane *lane, u32 bytes,
		       enum tprof_ring_room room)
{
	void *record = tprof_ring_begin(&lane->ring, bytes, room);

	if (unlikely(!record))
		tprof_lane_request_flush(lane);
	return record;
}

/**
 * tprof_lane_end - publish the record that was written
 * @lane:	lane passed to tprof_lane_begin()
 *
 * If the ring has reached the watermark, the function requests a flush. A nested writer must
 * do so, too: the writer that it interrupted publishes the records of both, but
 * tprof_lane_calm_end() requests no flush.
 *
 * Context: any, NMI included, not preemptible.
 */
void tprof_lane_end(struct tprof_lane *lane)
{
	tprof_ring_end(&lane->ring);
	if (unlikely(tprof_ring_reserved(&lane->ring) >= READ_ONCE(lane->watermark)))
		tprof_lane_request_flush(lane);
}

/* Context: hard interrupt, on PREEMPT_RT too. @answer may queue work there. */
static void lane_kick(struct irq_work *kick)
{
	struct tprof_lane *lane = container_of(kick, struct tprof_lane, kick);

	lane->doorbell->answer(lane->doorbell);
}

/* Return the memory of a lane with a ring. */
static size_t lane_bytes(unsigned long ring_bytes)
{
	return sizeof(struct tprof_lane) + ring_bytes;
}

/**
 * tprof_lane_free - free a lane
 * @lane:	lane that no CPU writes and no worker reads
 * @locked:	as passed to tprof_lane_alloc()
 *
 * Context: process, may sleep.
 */
void tprof_lane_free(struct tprof_lane *lane, struct tprof_locked *locked)
{
	tprof_locked_give(locked, lane_bytes(lane->ring.bytes));
	tprof_mirror_free(&lane->mirror);
	kvfree(lane);
}

/* Allocate a lane, and the memory of its ring. */
static struct tprof_lane *alloc_lane(int cpu, unsigned long ring_bytes)
{
	int node = cpu_to_node(cpu);
	struct tprof_lane *lane;

	lane = kvzalloc_node(sizeof(*lane), TPROF_GFP, node);
	if (!lane)
		return NULL;
	if (tprof_mirror_alloc(&lane->mirror, ring_bytes, node)) {
		kvfree(lane);
		return NULL;
	}
	tprof_ring_init(&lane->ring, lane->mirror.addr, ring_bytes);
	return lane;
}

/**
 * tprof_lane_alloc - allocate the lane of a CPU
 * @doorbell:	doorbell of the session
 * @cpu:	CPU that will write it
 * @ring_bytes:	size of its ring
 * @locked:	what its memory counts to
 *
 * The caller sets the watermark.
 *
 * Context: process, may sleep.
 * Return: lane, or ERR_PTR() of -ENOMEM or -ENOBUFS.
 */
struct tprof_lane *tprof_lane_alloc(struct tprof_doorbell *doorbell, int cpu,
				    unsigned long ring_bytes, struct tprof_locked *locked)
{
	int err = tprof_locked_take(locked, lane_bytes(ring_bytes));
	struct tprof_lane *lane;

	if (err)
		return ERR_PTR(err);
	lane = alloc_lane(cpu, ring_bytes);
	if (!lane) {
		tprof_locked_give(locked, lane_bytes(ring_bytes));
		return ERR_PTR(-ENOMEM);
	}
	lane->cpu = cpu;
	lane->doorbell = doorbell;
	/*
	 * On PREEMPT_RT, a plain irq_work runs in a thread of its CPU, which is parked
	 * before the CPU goes offline. So let lane_kick() run in hard interrupt context
	 * there, too.
	 */
	lane->kick = IRQ_WORK_INIT_HARD(lane_kick);
	return lane;
}

/**
 * tprof_lane_enlarge - give a lane a larger ring
 * @lane:	lane whose ring is empty, that no CPU writes and no worker reads
 * @ring_bytes:	size, larger than that of its ring
 * @locked:	as passed to tprof_lane_alloc()
 *
 * Context: process, may sleep.
 * Return: 0, -ENOMEM or -ENOBUFS; on an error, nothing changes.
 */
int tprof_lane_enlarge(struct tprof_lane *lane, unsigned long ring_bytes,
		       struct tprof_locked *locked)
{
	/* Both sizes are whole pages. */
	size_t more = ring_bytes - lane->ring.bytes;
	struct tprof_mirror mirror = {};
	int err;

	err = tprof_locked_take(locked, more);
	if (err)
		return err;
	err = tprof_mirror_alloc(&mirror, ring_bytes, cpu_to_node(lane->cpu));
	if (err) {
		tprof_locked_give(locked, more);
		return err;
	}
	tprof_mirror_free(&lane->mirror);
	lane->mirror = mirror;
	tprof_ring_init(&lane->ring, mirror.addr, ring_bytes);
	return 0;
}

/**
 * tprof_lane_set_watermark - set when a lane requests a flush
 * @lane:	lane; its CPU may be writing records
 * @watermark:	fill level in bytes
 * @ring_bytes:	size of the rings that @watermark is meant for; a smaller one requests a flush
 *		when it is half full, or earlier
 *
 * Context: process.
 */
void tprof_lane_set_watermark(struct tprof_lane *lane, unsigned long watermark,
			      unsigned long ring_bytes)
{
	if (lane->ring.bytes < ring_bytes)
		watermark = min(watermark, lane->ring.bytes / 2);
	WRITE_ONCE(lane->watermark, watermark);
	WRITE_ONCE(lane->calm, min(watermark - 1, lane->ring.sample_bytes));
}
