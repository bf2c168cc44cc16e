// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - stalls: events that wait for room in the ring
 *
 * When the ring of a CPU has no room for a sample, an event with TPROF_LX_EVENT_STALL stops
 * on that CPU. So an event with a slow reader, or with none, takes no time of the CPU. When
 * the worker has made room, it lets the event go on.
 *
 * A stall begins in the sink, in any context, NMI included, and ends in an IPI. Both run on
 * the CPU of the lane with interrupts off, so only an NMI can come in between. If that CPU is
 * offline, the stall ends on another.
 */
#include <linux/bitops.h>
#include <linux/irqflags.h>
#include <linux/perf_event.h>

#include "base/ipi.h"
#include "base/mono.h"
#include "base/totals.h"
#include "sample/sample_layout.h"
#include "sample/sample_stall.h"

/**
 * struct throttle - a PERF_RECORD_THROTTLE or PERF_RECORD_UNTHROTTLE without its trailer
 * @header:	header
 * @time:	time by the clock of the event
 * @id:		id of the event
 * @stream_id:	same as @id
 */
struct throttle {
	struct perf_event_header header;
	u64	time;
	u64	id;
	u64	stream_id;
};

static void write_throttle(const struct tprof_sampler *sampler, struct tprof_lane *lane, u32 type)
{
	u32 bytes = sizeof(struct throttle) + tprof_sample_id_bytes(sampler);
	struct throttle *record = tprof_lane_begin(lane, bytes, TPROF_RING_SIDE);

	if (!record) {
		local64_inc(&lane->side.lost);
		tprof_totals_add(TPROF_TOTAL_SIDE_LOST, 1);
		return;
	}
	record->header = (struct perf_event_header){ .type = type, .size = bytes };
	/* Read the time while the ring is busy: see tprof_ring_is_busy(). */
	record->time = sampler->clock();
	record->id = sampler->id;
	record->stream_id = sampler->id;
	tprof_sample_write_id(sampler, record + 1, record->time, NULL, lane->cpu);
	local64_inc(&lane->side.pushed);
	tprof_lane_end(lane);
}

/**
 * tprof_sample_stall - stop an event on this CPU until the ring has room
 * @sampler:	event whose sample found no room
 * @lane:	lane of this CPU
 *
 * An overflow may come late, after the event was stopped. Then stop the event again, for
 * the case that the late overflow has started it.
 *
 * Context: any, NMI included, not preemptible.
 */
void tprof_sample_stall(const struct tprof_sampler *sampler, struct tprof_lane *lane)
{
	unsigned long flags;

	local_irq_save(flags);
	sampler->pmu.ops->stall(&sampler->pmu, true);
	if (!test_and_set_bit(sampler->pmu.index, &lane->stalled)) {
		tprof_stats_begin_stall(&lane->stalls[sampler->pmu.index], tprof_mono_ns());
		tprof_totals_add(TPROF_TOTAL_STALLS, 1);
		write_throttle(sampler, lane, PERF_RECORD_THROTTLE);
		/* The pass that freed the ring may not have seen the bit. */
		tprof_lane_request_flush(lane);
	}
	local_irq_restore(flags);
}

/**
 * struct ending - the end of stalls on a CPU
 * @samplers:	events of the session
 * @lane:	lane of the CPU
 * @mask:	events whose stalls end
 * @goes_on:	the events go on
 */
struct ending {
	struct tprof_sampler *const	*samplers;
	struct tprof_lane		*lane;
	unsigned long			mask;
	bool				goes_on;
};

/*
 * Clear the bit in @stalled before the event goes on. Else its next stall could find the bit
 * set, and the event would be stopped without a bit that lets the worker see it.
 */
static void call_end(void *data)
{
	const struct ending *ending = data;
	struct tprof_lane *lane = ending->lane;
	unsigned long bits = ending->mask & READ_ONCE(lane->stalled);
	const struct tprof_sampler *sampler;
	u32 i;

	for_each_set_bit(i, &bits, TPROF_LX_MAX_EVENTS) {
		sampler = ending->samplers[i];
		write_throttle(sampler, lane, PERF_RECORD_UNTHROTTLE);
		tprof_stats_end_stall(&lane->stalls[i], tprof_mono_ns());
		clear_bit(i, &lane->stalled);
		if (ending->goes_on)
			sampler->pmu.ops->stall(&sampler->pmu, false);
	}
}

/**
 * tprof_sample_end_stalls - end the stalls of a lane
 * @samplers:	events of the session
 * @lane:	lane, on whose CPU the events of @mask are started, or were until now
 * @mask:	events whose stalls end; those that do not stall are ignored
 * @goes_on:	let the events go on; false after they were stopped
 *
 * Context: process, CPU hotplug locked, under the cpu lock.
 */
void tprof_sample_end_stalls(struct tprof_sampler *const *samplers, struct tprof_lane *lane,
			     u32 mask, bool goes_on)
{
	struct ending ending = {
		.samplers = samplers,
		.lane = lane,
		.mask = mask,
		.goes_on = goes_on,
	};

	if (!(READ_ONCE(lane->stalled) & mask) ||
	    !tprof_ipi_call(lane->cpu, call_end, &ending))
		return;
	/*
	 * The CPU went offline after STOP had stopped the events. It stays offline, so this
	 * CPU may write to its lane.
	 */
	ending.goes_on = false;
	local_irq_disable();
	call_end(&ending);
	local_irq_enable();
}
