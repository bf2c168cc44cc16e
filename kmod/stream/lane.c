// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - what one CPU writes for one session
 *
 * Context: tprof_lane_begin() and _end() run anywhere, NMI included; lanes
 * come and go in process context.
 */
#include <linux/cpumask.h>
#include <linux/slab.h>
#include <linux/topology.h>

#include "stream/flush.h"
#include "base/gfp.h"

/*
 * Once until it is done. Nothing is woken here but an irq_work, and that
 * rarely; and nothing on a CPU that is past its last irq_work on its way down:
 * it would hold up tprof_flush_stop() until that CPU comes back.
 */
static void ask_for_flush(struct tprof_lane *lane)
{
	struct tprof_flush *flush = lane->flush;

	if (test_bit(TPROF_FLUSH_KICKED, &flush->kick_bits) || !cpu_online(lane->cpu) ||
	    test_and_set_bit(TPROF_FLUSH_KICKED, &flush->kick_bits))
		return;
	irq_work_queue(&lane->kick);
}

/**
 * tprof_lane_begin - take room for a record on this CPU
 * @lane:	lane of this CPU
 * @bytes:	length of the record, a multiple of 8
 * @room:	how much of the ring it may use
 *
 * A ring that refuses asks for a flush, even if the watermark is higher than
 * samples alone can fill it.
 *
 * Context: any, NMI included, not preemptible.
 * Return: as tprof_ring_begin(). The caller counts.
 */
void *tprof_lane_begin(struct tprof_lane *lane, u32 bytes,
		       enum tprof_ring_room room)
{
	void *record = tprof_ring_begin(&lane->ring, bytes, room);

	if (unlikely(!record))
		ask_for_flush(lane);
	return record;
}

/**
 * tprof_lane_end - the record is written
 * @lane:	what tprof_lane_begin() was given
 *
 * Asks for a flush when the ring is above the watermark.
 *
 * Context: any, NMI included, not preemptible.
 */
void tprof_lane_end(struct tprof_lane *lane)
{
	tprof_ring_end(&lane->ring);
	if (unlikely(tprof_ring_used(&lane->ring) >= lane->flush->watermark))
		ask_for_flush(lane);
}

/* In hard interrupts: a work may be queued there on PREEMPT_RT as well. */
static void lane_kick(struct irq_work *kick)
{
	struct tprof_lane *lane = container_of(kick, struct tprof_lane, kick);

	tprof_flush_kick(lane->flush);
}

/**
 * tprof_lane_free - give a lane back
 * @lane:	lane that nobody writes or reads
 *
 * Context: process, may sleep.
 */
void tprof_lane_free(struct tprof_lane *lane)
{
	tprof_mirror_free(&lane->mirror);
	kvfree(lane);
}

/**
 * tprof_flush_add_lane - give a CPU its lane
 * @flush:	flush that has its memory
 * @cpu:	CPU; nothing happens if it has one
 *
 * Context: process, under the cpu lock.
 * Return: 0 or -ENOMEM.
 */
int tprof_flush_add_lane(struct tprof_flush *flush, int cpu)
{
	struct tprof_lane *lane;
	int err;

	if (flush->lanes[cpu])
		return 0;
	lane = kvzalloc_node(sizeof(*lane), TPROF_GFP,
			     cpu_to_node(cpu));
	if (!lane)
		return -ENOMEM;
	err = tprof_mirror_alloc(&lane->mirror, flush->ring_bytes,
				 cpu_to_node(cpu));
	if (err) {
		tprof_lane_free(lane);
		return err;
	}

	lane->cpu = cpu;
	lane->flush = flush;
	/* On PREEMPT_RT too: threads for others are parked before their CPU. */
	lane->kick = IRQ_WORK_INIT_HARD(lane_kick);
	tprof_ring_init(&lane->ring, lane->mirror.addr, flush->ring_bytes);
	/* D, matches tprof_flush_lane(): what it points to is ready. */
	smp_store_release(&flush->lanes[cpu], lane);
	return 0;
}
