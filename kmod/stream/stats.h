/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the ledger: what became of every sample
 *
 * Each count has one writer, except @lost_told, which is claimed. The sampled CPU
 * writes its counts by single instructions, because an NMI that increments the
 * same count may interrupt it. The reader writes its counts under the read lock
 * of the session. Any task may read a count; a sum is exact while no count is
 * written.
 */
#ifndef TPROF_STATS_H
#define TPROF_STATS_H

#include <asm/local64.h>
#include <linux/atomic.h>
#include <linux/tprof_lx.h>
#include <linux/types.h>

/**
 * struct tprof_counts - samples of one event on one CPU
 * @taken:	W: sampled CPU
 * @stored:	written to the ring; W: sampled CPU
 * @filtered:	W: sampled CPU
 * @lost_ring:	W: sampled CPU
 * @merged:	W: sampled CPU
 * @cut_deep:	chains with too many frames; W: sampled CPU
 * @cut_absent:	chains that end at memory which is not present; W: sampled CPU
 * @cut_lost:	chains that the unwinder lost; W: sampled CPU
 * @lost_told:	part of @lost_ring that LOST_SAMPLES records report; W: sampled
 *		CPU, and the flush worker after the last sample
 * @delivered:	W: read lock
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
	atomic64_t	lost_told;
	u64		delivered;
};

/**
 * struct tprof_side_counts - side-band records of one CPU
 * @pushed:	W: owning CPU
 * @lost:	W: owning CPU
 */
struct tprof_side_counts {
	local64_t	pushed;
	local64_t	lost;
};

/**
 * tprof_stats_owes - report whether a loss is not reported yet
 * @counts:	ledger of an event on this CPU
 *
 * Context: any, NMI included.
 * Return: true if tprof_stats_claim_lost() may return one.
 */
static inline bool tprof_stats_owes(const struct tprof_counts *counts)
{
	return atomic64_read(&counts->lost_told) !=
	       local64_read(&counts->lost_ring);
}

u64 tprof_stats_claim_lost(struct tprof_counts *counts);

void tprof_stats_add(struct tprof_lx_stats *sum,
		     const struct tprof_counts *counts);
void tprof_stats_add_side(struct tprof_lx_stats *sum,
			  const struct tprof_side_counts *side);

#endif /* TPROF_STATS_H */
