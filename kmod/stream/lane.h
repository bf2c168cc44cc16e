/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - what one CPU writes for one session
 *
 * Context: tprof_lane_begin() and tprof_lane_end() run in any context, NMI
 * included, not preemptible, on the CPU of the lane; the rest in process context.
 */
#ifndef TPROF_LANE_H
#define TPROF_LANE_H

#include <linux/irq_work.h>

#include "stream/mirror.h"
#include "stream/ring.h"
#include "stream/stats.h"

/* Bit of @bits in struct tprof_doorbell. */
#define TPROF_DOORBELL_RUNG	0

/**
 * struct tprof_doorbell - how the lanes of a session ask for a flush
 * @bits:	TPROF_DOORBELL_RUNG: a flush is requested and not done; any
 *		context
 * @watermark:	fill level of a ring, in bytes, that requests a flush; W: while no
 *		event runs
 * @answer:	starts the flush. Context: hard interrupt, on PREEMPT_RT too.
 */
struct tprof_doorbell {
	unsigned long	bits;
	unsigned long	watermark;
	void (*answer)(struct tprof_doorbell *doorbell);
};

/**
 * struct tprof_lane - what one CPU writes for one session
 * @ring:	records
 * @mirror:	memory of @ring
 * @doorbell:	doorbell of the session; rung when @ring is above the watermark
 * @kick:	answers @doorbell outside NMIs
 * @cpu:	its CPU
 * @snapshot:	end of what the present pass moves; worker only
 * @counts:	ledger of each event on this CPU
 * @side:	ledger of side-band on this CPU
 */
struct tprof_lane {
	struct tprof_ring		ring;
	struct tprof_mirror		mirror;
	struct tprof_doorbell		*doorbell;
	struct irq_work			kick;
	int				cpu;
	unsigned long			snapshot;
	struct tprof_counts		counts[TPROF_LX_MAX_EVENTS];
	struct tprof_side_counts	side;
};

void *tprof_lane_begin(struct tprof_lane *lane, u32 bytes,
		       enum tprof_ring_room room);
void tprof_lane_end(struct tprof_lane *lane);

void tprof_lane_ring_doorbell(struct tprof_lane *lane);

/**
 * tprof_lane_nmi_end - publish the record that an NMI wrote
 * @lane:	lane of this CPU; tprof_ring_nmi_begin() found the room
 * @bytes:	length of the record
 *
 * Asks for a flush when the ring is above the watermark.
 *
 * Context: NMI.
 */
static __always_inline void tprof_lane_nmi_end(struct tprof_lane *lane, u32 bytes)
{
	tprof_ring_nmi_end(&lane->ring, bytes);
	if (unlikely(tprof_ring_used(&lane->ring) >= lane->doorbell->watermark))
		tprof_lane_ring_doorbell(lane);
}

struct tprof_lane *tprof_lane_alloc(struct tprof_doorbell *doorbell, int cpu,
				    unsigned long ring_bytes);
void tprof_lane_free(struct tprof_lane *lane);

#endif /* TPROF_LANE_H */
