/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - an event that waits for space in a ring
 *
 * Each CPU waits on its own:
 *
 * 1. A sample finds no room. It counts as lost. The sink calls tprof_sample_stall(), which
 *    stops the event on this CPU by stall() of the back end, sets the event's bit in @stalled
 *    of the lane, and writes PERF_RECORD_THROTTLE into the part of the ring that samples
 *    cannot use. The refusal has requested a flush.
 * 2. The worker moves the records of the lane to the fifo, or waits until the reader has freed
 *    space there. When half of the samples' part of the ring is free, it calls
 *    tprof_cpu_resume(). If a pass comes to the lane just before the bit is set, another pass
 *    follows at once.
 * 3. Under the cpu lock, so that neither STOP nor hotplug comes in between, an IPI to the CPU
 *    writes PERF_RECORD_UNTHROTTLE, adds the time to the ledger, clears the bit, and then lets
 *    the event go on.
 *
 * STOP, RELEASE, the last close(2) and a CPU that goes offline stop the event as always. After
 * that, when none of its overflows is under way, they end its stalls by the same IPI without
 * the last step. So each THROTTLE has its UNTHROTTLE.
 *
 * Clocks that were about to send an NMI may cause one more overflow; without room, it is lost
 * like the first.
 */
#ifndef TPROF_SAMPLE_STALL_H
#define TPROF_SAMPLE_STALL_H

#include "sample/sampler.h"

void tprof_sample_stall(const struct tprof_sampler *sampler, struct tprof_lane *lane);
void tprof_sample_end_stalls(struct tprof_sampler *const *samplers, struct tprof_lane *lane,
			     u32 mask, bool goes_on);

#endif /* TPROF_SAMPLE_STALL_H */
