/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - take a sample of an event; a common sample needs no call by a pointer
 */
#ifndef TPROF_OVERFLOW_H
#define TPROF_OVERFLOW_H

#include "pmu/pmu.h"

/**
 * tprof_sample_take_common - take a common sample in an NMI
 * @event:	event with @is_common
 * @regs:	interrupted registers
 * @period:	events since the last sample on this CPU
 *
 * It is in sample.c. The NMI handler calls it directly: a call by a pointer costs more,
 * and much more with mitigations.
 *
 * Context: NMI, on the CPU that is sampled.
 */
void tprof_sample_take_common(struct tprof_pmu_event *event, struct pt_regs *regs, u64 period);

/**
 * tprof_sample_take_common_outside_nmi - take a common sample in any other context
 * @event:	event with @is_common
 * @regs:	interrupted registers
 * @period:	nanoseconds since the last sample on this CPU
 *
 * The same as tprof_sample_take_common(), but an NMI may interrupt it.
 *
 * Context: any but NMI, on the CPU that is sampled, not preemptible.
 */
void tprof_sample_take_common_outside_nmi(struct tprof_pmu_event *event, struct pt_regs *regs,
					  u64 period);

/**
 * tprof_pmu_overflow - take a sample of an event
 * @event:	event that overflowed
 * @regs:	interrupted registers
 * @period:	events since the last sample on this CPU
 * @merged:	number of further samples that were due and are part of this one
 *
 * Context: NMI.
 */
static __always_inline void tprof_pmu_overflow(struct tprof_pmu_event *event,
					       struct pt_regs *regs, u64 period, u64 merged)
{
	if (likely(READ_ONCE(event->is_common) && !merged))
		tprof_sample_take_common(event, regs, period);
	else
		event->sink(event, regs, period, merged);
}

#endif /* TPROF_OVERFLOW_H */
