/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the ledger: what became of every sample
 *
 * Each count has one writer, except @lost_reported: see tprof_stats_claim_lost(). The
 * sampled CPU increments its counts with single instructions, because an NMI may
 * interrupt it and increment the same count. The reader writes @delivered under the
 * read lock of the stream. Any task may read the counts; a sum is exact only while no
 * count changes.
 *
 * "W: x" in the description of a member means: written by x only, or under lock x.
 */
#ifndef TPROF_STATS_H
#define TPROF_STATS_H

#include <asm/local64.h>
#include <linux/atomic.h>
#include <linux/tprof_lx.h>
#include <linux/types.h>

/**
 * struct tprof_counts - samples of one event on one CPU
 * @taken:	samples that the back end took; W: sampled CPU
 * @stored:	samples written to the ring; W: sampled CPU
 * @filtered:	samples outside the targets, or excluded by the attr; W: sampled CPU
 * @lost_ring:	samples refused because the ring was full; W: sampled CPU
 * @merged:	further samples that were due, and are part of one that was taken; W: sampled CPU
 * @cut_deep:	chains with too many frames; W: sampled CPU
 * @cut_absent:	chains that end at memory which is not present; W: sampled CPU
 * @cut_lost:	chains that the unwinder lost; W: sampled CPU
 * @lost_reported: number of samples in @lost_ring that are reported in LOST_SAMPLES
 *		records; W: sampled CPU, and the worker
 * @delivered:	samples that read(2) returned or ADVANCE removed; W: read lock
 */
struct tprof_counts {
	local64_t	taken;
	local64_t	stored;
	local64_t	filtered;
	local64_t	lost_ring;
	local64_t	merged;
	local64_t	cut_deep;
	local64_t	cut_absent;
	local64_t	cut_lost;
	atomic64_t	lost_reported;
	u64		delivered;
};

/**
 * struct tprof_loss - losses of an event on one CPU that were not reported
 * @reported:	value of @lost_reported
 * @lost:	value of @lost_ring
 */
struct tprof_loss {
	u64	reported;
	u64	lost;
};

/**
 * struct tprof_stall - how long an event was stalled on one CPU
 * @count:	number of stalls; W: sampled CPU
 * @since_ns:	CLOCK_MONOTONIC at the beginning of the present stall, or 0; W: sampled CPU
 * @total_ns:	nanoseconds of all earlier stalls; W: sampled CPU
 *
 * An event with TPROF_LX_EVENT_STALL stalls while the ring of the CPU has no room.
 */
struct tprof_stall {
	u64	count;
	u64	since_ns;
	u64	total_ns;
};

/**
 * struct tprof_side_counts - side-band records of one CPU
 * @pushed:	records written to the ring; W: owning CPU
 * @lost:	records refused by the ring, or not built; W: owning CPU
 */
struct tprof_side_counts {
	local64_t	pushed;
	local64_t	lost;
};

/**
 * tprof_stats_has_unreported - check for losses that are not reported yet
 * @counts:	ledger of an event on this CPU
 *
 * Context: any, NMI included.
 * Return: true if tprof_stats_claim_lost() may return more than 0.
 */
static inline bool tprof_stats_has_unreported(const struct tprof_counts *counts)
{
	return atomic64_read(&counts->lost_reported) !=
	       local64_read(&counts->lost_ring);
}

bool tprof_stats_find_loss(const struct tprof_counts *counts, struct tprof_loss *loss);
bool tprof_stats_claim(struct tprof_counts *counts, const struct tprof_loss *loss);
u64 tprof_stats_claim_lost(struct tprof_counts *counts);

void tprof_stats_add(struct tprof_lx_stats *sum,
		     const struct tprof_counts *counts);
void tprof_stats_begin_stall(struct tprof_stall *stall, u64 now_ns);
void tprof_stats_end_stall(struct tprof_stall *stall, u64 now_ns);
void tprof_stats_add_stall(struct tprof_lx_stats *sum, const struct tprof_stall *stall,
			   u64 now_ns);
void tprof_stats_add_side(struct tprof_lx_stats *sum,
			  const struct tprof_side_counts *side);

#endif /* TPROF_STATS_H */
