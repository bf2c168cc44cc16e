// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - telling readers call chains that were continued later
 */
#include <linux/minmax.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/stddef.h>
#include <linux/timekeeping.h>

#include "sample/deferred.h"
#include "sample/sideband.h"
#include "track/track_chain.h"
#include "track/track_list.h"

/*
 * All who want chains of this task: that a chain was asked for another session
 * makes it no less true.
 */
static void report_deferred_chain(struct tprof_deferred_record *record, u64 asked_at)
{
	const u64 whole = record->chain.nr;
	struct tprof_sideband side = {
		.header = &record->header,
		.task = current,
		.is_extra = true,
	};
	struct tprof_tracker *tracker;

	rcu_read_lock();
	tprof_track_for_each(tracker, TPROF_TRACK_CHAIN) {
		if (!tprof_track_covers(tracker, current))
			continue;
		/* The mark before the frames is none of them. */
		record->chain.nr = min(whole, tracker->frames + 1ULL);
		side.bytes = offsetof(struct tprof_deferred_record, chain.ips) +
			     record->chain.nr * sizeof(u64);
		/* Interrupts may come between this and the record's time, no more. */
		preempt_disable();
		record->elapsed = ktime_get_mono_fast_ns() - asked_at;
		tprof_sideband_write(tracker->sampler, &side);
		preempt_enable();
	}
	rcu_read_unlock();
}

/**
 * tprof_track_chain_start - tell of chains from now on
 *
 * Context: process, under the track lock.
 * Return: 0.
 */
int tprof_track_chain_start(void)
{
	return tprof_deferred_start(report_deferred_chain);
}

/**
 * tprof_track_chain_stop - undo tprof_track_chain_start()
 *
 * Works may be pending still, but they find nobody in the list.
 *
 * Context: as tprof_track_chain_start().
 */
void tprof_track_chain_stop(void)
{
	tprof_deferred_stop();
}
