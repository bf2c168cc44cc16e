/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the lane: ring and counts that one CPU writes for one session
 *
 * Context: lanes are allocated and freed in process context. All other
 * functions run on the CPU of the lane, not preemptible: tprof_lane_nmi_begin() and
 * tprof_lane_nmi_end() in NMI, the others in any context, NMI included.
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
 * @bits:	bit TPROF_DOORBELL_RUNG is set in any context to request a
 *		flush; the worker clears it when the flush is done
 * @watermark:	fill level of a ring, in bytes, at which its lane requests a flush;
 *		written only while no event runs
 * @answer:	function that starts the flush. Context: hard interrupt, on PREEMPT_RT
 *		too.
 */
struct tprof_doorbell {
	unsigned long	bits;
	unsigned long	watermark;
	void (*answer)(struct tprof_doorbell *doorbell);
};

/**
 * struct tprof_lane - ring and counts that one CPU writes for one session
 * @ring:	records
 * @mirror:	memory of @ring
 * @doorbell:	doorbell of the session; rung when @ring has reached the watermark or is
 *		full
 * @kick:	irq_work that calls @doorbell->answer, because an NMI must not
 *		call it
 * @cpu:	CPU that writes the lane
 * @snapshot:	position in @ring up to which the pass under way moves records; only
 *		used by the worker
 * @counts:	ledger of each event on this CPU
 * @side:	counts of side-band records on this CPU
 * @stalled:	mask of the events that wait for room in @ring; W: this CPU
 * @stalls:	stalls of each event on this CPU
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
	unsigned long			stalled;
	struct tprof_stall		stalls[TPROF_LX_MAX_EVENTS];
};

void *tprof_lane_begin(struct tprof_lane *lane, u32 bytes,
		       enum tprof_ring_room room);
void tprof_lane_end(struct tprof_lane *lane);

void tprof_lane_ring_doorbell(struct tprof_lane *lane);

/* Request a flush if the ring has reached the watermark. */
static __always_inline void tprof_lane_check_watermark(struct tprof_lane *lane)
{
	if (unlikely(tprof_ring_used(&lane->ring) >= lane->doorbell->watermark))
		tprof_lane_ring_doorbell(lane);
}

/**
 * tprof_lane_nmi_begin - find space for a sample in the ring of this CPU
 * @lane:	lane of this CPU
 * @bytes:	maximum length of the record, a multiple of 8
 *
 * Context: NMI.
 * Return: address at which the caller writes the record before it calls
 * tprof_lane_nmi_end(); NULL if the ring is too full. The caller then calls
 * tprof_lane_begin().
 */
static __always_inline void *tprof_lane_nmi_begin(struct tprof_lane *lane, u32 bytes)
{
	return tprof_ring_nmi_begin(&lane->ring, bytes);
}

/**
 * tprof_lane_nmi_end - publish the record that was written
 * @lane:	lane passed to tprof_lane_nmi_begin()
 * @bytes:	length of the record
 *
 * If the ring has reached the watermark, the function requests a flush.
 *
 * Context: NMI.
 */
static __always_inline void tprof_lane_nmi_end(struct tprof_lane *lane, u32 bytes)
{
	tprof_ring_nmi_end(&lane->ring, bytes);
	tprof_lane_check_watermark(lane);
}

struct tprof_lane *tprof_lane_alloc(struct tprof_doorbell *doorbell, int cpu,
				    unsigned long ring_bytes);
void tprof_lane_free(struct tprof_lane *lane);

#endif /* TPROF_LANE_H */
