/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - reports an overflow in an NMI
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
 * Context: NMI.
 */
void tprof_sample_take_common(struct tprof_pmu_event *event, struct pt_regs *regs, u64 period);

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
