// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - records of deferred call chains
 */
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/stddef.h>
#include <linux/timekeeping.h>

#include "chain/deferred.h"
#include "chain/stack_copy.h"
#include "sample/sideband.h"
#include "track/track_chain.h"
#include "track/track_list.h"

/* Return the length of @chain if it is cut after @frames addresses. Marks do not count. */
static u64 length_for(const struct tprof_chain *chain, u64 whole, u32 frames)
{
	u64 nr = 0;

	while (nr < whole && frames)
		frames -= chain->ips[nr++] != PERF_CONTEXT_USER;
	return nr;
}

/* Return the number of frames that the copy of the stack is for. */
static u32 stack_frames(const struct tprof_deferred_record *record)
{
	const struct tprof_lx_stack *stack = record->stack + record->stack_bytes - sizeof(*stack);

	return record->stack_bytes ? stack->frames : 0;
}

/*
 * Return the length of the copy of the stack, 0 if the tracker wants none, or none of that length.
 * The chain has at most as many frames as its events want, of the @frames that were asked for.
 */
static u32 limit_stack(const struct tprof_deferred_record *record,
		       const struct tprof_tracker *tracker, u32 frames)
{
	struct tprof_lx_stack *stack;

	if (!record->stack_bytes ||
	    record->stack_bytes > tprof_stack_copy_max(tracker->stack_bytes))
		return 0;
	stack = record->stack + record->stack_bytes - sizeof(*stack);
	stack->frames = min(frames, tracker->frames);
	return record->stack_bytes;
}

/* Write the chain, and the copy of the stack if @side has one. */
static bool write_with_stack(const struct tprof_sampler *sampler,
			     struct tprof_deferred_record *record, struct tprof_sideband *side)
{
	record->header.misc = side->more_bytes ? TPROF_LX_MISC_STACK : 0;
	side->more = record->stack;
	return tprof_sideband_write(sampler, side);
}

/*
 * Write the chain for each tracker that wants chains of this task, even if only a
 * sample of another session requested the chain. A session whose chains are followed by other
 * tables, or by frame pointers, gets its own.
 */
static void report_deferred_chain(struct tprof_deferred_record *record, u64 asked_at,
				  const struct tprof_tables *tables)
{
	const u64 whole = record->chain.nr;
	struct tprof_sideband side = {
		.header = &record->header,
		.task = current,
		.is_extra = true,
	};
	const u32 frames = stack_frames(record);
	struct tprof_tracker *tracker;
	bool is_written;

	rcu_read_lock();
	tprof_track_for_each(tracker, TPROF_TRACK_CHAIN) {
		if (tracker->tables != tables || !tprof_track_covers(tracker, current))
			continue;
		record->chain.nr = length_for(&record->chain, whole, tracker->frames);
		side.bytes = offsetof(struct tprof_deferred_record, chain.ips) +
			     record->chain.nr * sizeof(u64);
		/*
		 * @elapsed must end close to the time of the record, which
		 * tprof_sideband_write() reads. With preemption disabled, only
		 * interrupts can come in between.
		 */
		preempt_disable();
		record->elapsed = ktime_get_mono_fast_ns() - asked_at;
		side.more_bytes = limit_stack(record, tracker, frames);
		is_written = write_with_stack(tracker->sampler, record, &side);
		if (!is_written && side.more_bytes) {
			side.more_bytes = 0;
			write_with_stack(tracker->sampler, record, &side);
		}
		preempt_enable();
	}
	rcu_read_unlock();
}

/**
 * tprof_track_chain_start - start writing deferred chains
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
 * Task work may still be pending; it finds no tracker in the list.
 *
 * Context: same as tprof_track_chain_start().
 */
void tprof_track_chain_stop(void)
{
	tprof_deferred_stop();
}
