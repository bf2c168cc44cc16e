// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the ledger: what became of every sample
 *
 * Context: process, except the functions that find and claim losses.
 */
#include "stream/stats.h"

/**
 * tprof_stats_find_loss - find losses that are not reported yet
 * @counts:	ledger of an event on a CPU
 * @loss:	result, for tprof_stats_claim()
 *
 * Context: any, NMI included.
 * Return: true if there are such losses.
 */
bool tprof_stats_find_loss(const struct tprof_counts *counts, struct tprof_loss *loss)
{
	/* Read in this order, so that @lost_reported never exceeds @lost_ring. */
	loss->reported = atomic64_read(&counts->lost_reported);
	loss->lost = local64_read(&counts->lost_ring);
	return loss->lost != loss->reported;
}

/**
 * tprof_stats_claim - claim the losses that tprof_stats_find_loss() has found
 * @counts:	ledger of an event on a CPU
 * @loss:	losses
 *
 * Context: any, NMI included.
 * Return: true if the caller must report them; false if another caller has claimed them.
 */
bool tprof_stats_claim(struct tprof_counts *counts, const struct tprof_loss *loss)
{
	return atomic64_cmpxchg(&counts->lost_reported, loss->reported,
				loss->lost) == loss->reported;
}

/**
 * tprof_stats_claim_lost - claim losses that are not reported yet
 * @counts:	ledger of an event on a CPU
 *
 * If an NMI interrupts the caller and also calls this, only one of them gets the
 * losses and must report them. If the caller cannot report them, it subtracts
 * them from @lost_reported again.
 *
 * Context: any, NMI included.
 * Return: number of lost samples that the caller must report.
 */
u64 tprof_stats_claim_lost(struct tprof_counts *counts)
{
	struct tprof_loss loss;

	if (likely(!tprof_stats_find_loss(counts, &loss)) ||
	    !tprof_stats_claim(counts, &loss))
		return 0;
	return loss.lost - loss.reported;
}

/**
 * tprof_stats_add - add the counts of an event on a CPU to a sum
 * @sum:	sum to add to
 * @counts:	counts of the event on the CPU
 *
 * The sum is exact while no CPU takes samples and no task reads. @delivered is read
 * first and @taken last, so that delivered <= taken always holds.
 */
void tprof_stats_add(struct tprof_lx_stats *sum,
		     const struct tprof_counts *counts)
{
	struct tprof_lx_ledger *ledger = &sum->ledger;
	u64 delivered = READ_ONCE(counts->delivered);

	ledger->delivered += delivered;
	ledger->queued += local64_read(&counts->stored) - delivered;
	ledger->filtered += local64_read(&counts->filtered);
	ledger->lost_ring += local64_read(&counts->lost_ring);
	ledger->taken += local64_read(&counts->taken);
	sum->ticks_merged += local64_read(&counts->merged);
	sum->chains_deep += local64_read(&counts->cut_deep);
	sum->chains_absent += local64_read(&counts->cut_absent);
	sum->chains_lost += local64_read(&counts->cut_lost);
}

/**
 * tprof_stats_begin_stall - note that an event stalls
 * @stall:	stalls of the event on a CPU, none under way
 * @now_ns:	CLOCK_MONOTONIC
 *
 * Context: any, NMI included, on the CPU.
 */
void tprof_stats_begin_stall(struct tprof_stall *stall, u64 now_ns)
{
	WRITE_ONCE(stall->count, stall->count + 1);
	WRITE_ONCE(stall->since_ns, now_ns);
}

/**
 * tprof_stats_end_stall - note that a stalled event goes on or has stopped
 * @stall:	stalls of the event on a CPU, one under way
 * @now_ns:	CLOCK_MONOTONIC
 *
 * Context: interrupts off, on the CPU.
 */
void tprof_stats_end_stall(struct tprof_stall *stall, u64 now_ns)
{
	u64 ns = now_ns - stall->since_ns;

	WRITE_ONCE(stall->since_ns, 0);
	WRITE_ONCE(stall->total_ns, stall->total_ns + ns);
}

/**
 * tprof_stats_add_stall - add the stalls of an event on a CPU to a sum
 * @sum:	sum to add to
 * @stall:	stalls of the event on the CPU
 * @now_ns:	CLOCK_MONOTONIC
 *
 * If the CPU ends the stall meanwhile, the sum may be too small by that stall, as the
 * total is read first.
 */
void tprof_stats_add_stall(struct tprof_lx_stats *sum, const struct tprof_stall *stall,
			   u64 now_ns)
{
	u64 since;

	sum->stalls += READ_ONCE(stall->count);
	sum->stalled_ns += READ_ONCE(stall->total_ns);
	since = READ_ONCE(stall->since_ns);
	/* The stall may have begun since the caller read the clock. */
	if (since && now_ns > since)
		sum->stalled_ns += now_ns - since;
}

/**
 * tprof_stats_add_side - add the side-band counts of a CPU to a sum
 * @sum:	sum to add to
 * @side:	counts of the CPU
 */
void tprof_stats_add_side(struct tprof_lx_stats *sum,
			  const struct tprof_side_counts *side)
{
	sum->side_pushed += local64_read(&side->pushed);
	sum->side_lost += local64_read(&side->lost);
}
