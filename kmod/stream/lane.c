// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the lane: the records and counts of one CPU for one session
 *
 * Context: tprof_lane_begin() and _end() run anywhere, NMI included; lanes are
 * allocated and freed in process context.
 */
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/slab.h>
#include <linux/topology.h>

#include "base/gfp.h"
#include "stream/lane.h"

/**
 * tprof_lane_ring_doorbell - ask for a flush
 * @lane:	lane of this CPU
 *
 * The doorbell is rung at most once until the flush is done. An NMI only queues
 * an irq_work. A CPU on its way down queues none after its last one has run: that
 * irq_work would hold up tprof_stream_stop() until the CPU is online again.
 *
 * Context: any, NMI included, not preemptible.
 */
void tprof_lane_ring_doorbell(struct tprof_lane *lane)
{
	unsigned long *bits = &lane->doorbell->bits;

	if (test_bit(TPROF_DOORBELL_RUNG, bits) || !cpu_online(lane->cpu) ||
	    test_and_set_bit(TPROF_DOORBELL_RUNG, bits))
		return;
	irq_work_queue(&lane->kick);
}

/**
 * tprof_lane_begin - take room for a record on this CPU
 * @lane:	lane of this CPU
 * @bytes:	length of the record, a multiple of 8
 * @room:	how much of the ring it may use
 *
 * A ring that refuses a record asks for a flush. Samples alone may never reach
 * the watermark.
 *
 * Context: any, NMI included, not preemptible.
 * Return: same as tprof_ring_begin(). The caller counts a loss.
 */
void *tprof_lane_begin(struct tprof_lane *lane, u32 bytes,
		       enum tprof_ring_room room)
{
	void *record = tprof_ring_begin(&lane->ring, bytes, room);

	if (unlikely(!record))
		tprof_lane_ring_doorbell(lane);
	return record;
}

/**
 * tprof_lane_end - publish the record that was written
 * @lane:	lane passed to tprof_lane_begin()
 *
 * Asks for a flush when the ring is above the watermark.
 *
 * Context: any, NMI included, not preemptible.
 */
void tprof_lane_end(struct tprof_lane *lane)
{
	tprof_ring_end(&lane->ring);
	if (unlikely(tprof_ring_used(&lane->ring) >= lane->doorbell->watermark))
		tprof_lane_ring_doorbell(lane);
}

/* Context: hard interrupt, on PREEMPT_RT too. Queueing work is allowed there. */
static void lane_kick(struct irq_work *kick)
{
	struct tprof_lane *lane = container_of(kick, struct tprof_lane, kick);

	lane->doorbell->answer(lane->doorbell);
}

/**
 * tprof_lane_free - free a lane
 * @lane:	lane that no CPU writes and no worker reads
 *
 * Context: process, may sleep.
 */
void tprof_lane_free(struct tprof_lane *lane)
{
	tprof_mirror_free(&lane->mirror);
	kvfree(lane);
}

/**
 * tprof_lane_alloc - allocate the lane of a CPU
 * @doorbell:	doorbell of the session
 * @cpu:	CPU that will write it
 * @ring_bytes:	size of its ring
 *
 * Context: process, may sleep.
 * Return: lane or ERR_PTR(-ENOMEM).
 */
struct tprof_lane *tprof_lane_alloc(struct tprof_doorbell *doorbell, int cpu,
				    unsigned long ring_bytes)
{
	int err, node = cpu_to_node(cpu);
	struct tprof_lane *lane;

	lane = kvzalloc_node(sizeof(*lane), TPROF_GFP, node);
	if (!lane)
		return ERR_PTR(-ENOMEM);
	err = tprof_mirror_alloc(&lane->mirror, ring_bytes, node);
	if (err) {
		tprof_lane_free(lane);
		return ERR_PTR(err);
	}

	lane->cpu = cpu;
	lane->doorbell = doorbell;
	/*
	 * Run in hard interrupts on PREEMPT_RT too: the thread for other
	 * irq_works is parked before its CPU goes offline.
	 */
	lane->kick = IRQ_WORK_INIT_HARD(lane_kick);
	tprof_ring_init(&lane->ring, lane->mirror.addr, ring_bytes);
	return lane;
}
