/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the lane: ring and counts that one CPU writes for one session
 *
 * Context: lanes are allocated and freed in process context. All other functions run on the
 * CPU of the lane, not preemptible, or on any CPU while that one is offline:
 * tprof_lane_nmi_begin() and tprof_lane_nmi_end() in NMI, the others in any context, NMI
 * included.
 */
#ifndef TPROF_LANE_H
#define TPROF_LANE_H

#include <linux/irq_work.h>

#include "base/locked.h"
#include "stream/mirror.h"
#include "stream/ring.h"
#include "stream/stats.h"

/* Bits of @bits in struct tprof_doorbell. */
#define TPROF_DOORBELL_RUNG	0
#define TPROF_DOORBELL_URGENT	1

/**
 * struct tprof_doorbell - how the lanes of a session ask for a flush
 * @bits:	bit TPROF_DOORBELL_RUNG is set in any context to request a
 *		flush; the worker clears it when the flush is done. With bit
 *		TPROF_DOORBELL_URGENT, the flush moves all records that were written
 *		before; the worker clears it before it looks for records
 * @answer:	function that starts the flush. Context: hard interrupt, on PREEMPT_RT
 *		too.
 */
struct tprof_doorbell {
	unsigned long	bits;
	void (*answer)(struct tprof_doorbell *doorbell);
};

/**
 * struct tprof_lane - ring and counts that one CPU writes for one session
 * @ring:	records
 * @mirror:	memory of @ring
 * @doorbell:	doorbell of the session; rung when @ring has reached @watermark or is full
 * @watermark:	fill level of @ring, in bytes, at which the lane requests a flush; may change
 *		while events run
 * @calm:	highest fill level that is below @watermark and open to samples; changes just
 *		after @watermark
 * @kick:	irq_work that calls @doorbell->answer, because an NMI must not
 *		call it
 * @cpu:	CPU that writes the lane
 * @counts:	ledger of each event on this CPU
 * @side:	counts of side-band records on this CPU
 * @stalled:	mask of the events that wait for room in @ring; W: this CPU
 * @stalls:	stalls of each event on this CPU
 */
struct tprof_lane {
	struct tprof_ring		ring;
	struct tprof_mirror		mirror;
	struct tprof_doorbell		*doorbell;
	unsigned long			watermark;
	unsigned long			calm;
	struct irq_work			kick;
	int				cpu;
	struct tprof_counts		counts[TPROF_LX_MAX_EVENTS];
	struct tprof_side_counts	side;
	unsigned long			stalled;
	struct tprof_stall		stalls[TPROF_LX_MAX_EVENTS];
};

void *tprof_lane_begin(struct tprof_lane *lane, u32 bytes,
		       enum tprof_ring_room room);
void tprof_lane_end(struct tprof_lane *lane);

void tprof_lane_request_flush(struct tprof_lane *lane);
void tprof_lane_request_urgent_flush(struct tprof_lane *lane);

/**
 * tprof_lane_calm_begin - reserve space for a sample in the ring of this CPU
 * @lane:	lane of this CPU
 * @bytes:	length of the record, a multiple of 8
 * @record:	result: address at which the caller writes the record before it calls
 *		tprof_lane_calm_end()
 *
 * Context: any, NMI included, not preemptible.
 * Return: false if the ring would reach the watermark, or is too full. The caller then
 * calls tprof_lane_begin() and tprof_lane_end(), which request a flush.
 */
static __always_inline bool tprof_lane_calm_begin(struct tprof_lane *lane, u32 bytes,
						  void **record)
{
	return tprof_ring_begin_below(&lane->ring, bytes, READ_ONCE(lane->calm), record);
}

/**
 * tprof_lane_calm_end - publish the record that was written
 * @lane:	lane passed to tprof_lane_calm_begin()
 *
 * Context: any, NMI included, not preemptible.
 */
static __always_inline void tprof_lane_calm_end(struct tprof_lane *lane)
{
	tprof_ring_end(&lane->ring);
}

/**
 * tprof_lane_nmi_begin - find space for a sample in the ring of this CPU
 * @lane:	lane of this CPU
 * @bytes:	maximum length of the record, a multiple of 8
 * @record:	result: address at which the caller writes the record before it calls
 *		tprof_lane_nmi_end()
 *
 * Context: NMI.
 * Return: false if the ring could reach the watermark, or is too full. The caller then
 * calls tprof_lane_begin() and tprof_lane_end(), which request a flush.
 */
static __always_inline bool tprof_lane_nmi_begin(struct tprof_lane *lane, u32 bytes,
						 void **record)
{
	return tprof_ring_nmi_begin(&lane->ring, bytes, READ_ONCE(lane->calm), record);
}

/**
 * tprof_lane_nmi_has_room - report whether a record may become longer
 * @lane:	lane of this CPU, between tprof_lane_nmi_begin() and tprof_lane_nmi_end()
 * @bytes:	length of the record then
 *
 * Context: NMI.
 * Return: false if the ring could reach the watermark.
 */
static __always_inline bool tprof_lane_nmi_has_room(const struct tprof_lane *lane, u32 bytes)
{
	return tprof_ring_nmi_has_room(&lane->ring, bytes, READ_ONCE(lane->calm));
}

/**
 * tprof_lane_nmi_end - publish the record that was written
 * @lane:	lane passed to tprof_lane_nmi_begin()
 * @bytes:	length of the record
 *
 * Context: NMI.
 */
static __always_inline void tprof_lane_nmi_end(struct tprof_lane *lane, u32 bytes)
{
	tprof_ring_nmi_end(&lane->ring, bytes);
}

struct tprof_lane *tprof_lane_alloc(struct tprof_doorbell *doorbell, int cpu,
				    unsigned long ring_bytes, struct tprof_locked *locked);
int tprof_lane_enlarge(struct tprof_lane *lane, unsigned long ring_bytes,
		       struct tprof_locked *locked);
void tprof_lane_set_watermark(struct tprof_lane *lane, unsigned long watermark,
			      unsigned long ring_bytes);
void tprof_lane_free(struct tprof_lane *lane, struct tprof_locked *locked);

#endif /* TPROF_LANE_H */
