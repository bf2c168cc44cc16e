// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the end of several events of a session
 *
 * On machines with many CPUs, a grace period takes long. So all events that end wait for the same
 * ones.
 *
 * Context: process, under the lock of the session that owns the events, or at its end.
 */
#include "base/grace.h"
#include "pmu/pmu.h"
#include "session/event_end.h"

/* Return true if something may still use the event. */
static bool end_event(struct tprof_event *event)
{
	struct tprof_pmu_event *pmu = &event->sampler.pmu;

	if (!pmu->ops || !pmu->ops->event_end)
		return false;
	pmu->ops->event_end(pmu);
	return true;
}

/**
 * tprof_event_end_all - let back ends no longer use some events
 * @events:	events that do not run and have no overflow under way, released or not
 * @nr:		number of @events
 *
 * Next, each of them must be released or freed.
 *
 * Context: process, may sleep.
 */
void tprof_event_end_all(struct tprof_event **events, u32 nr)
{
	bool must_wait = false;
	u32 i;

	for (i = 0; i < nr; i++)
		must_wait |= end_event(events[i]);
	if (!must_wait)
		return;
	tprof_grace_of_probes();
	tprof_grace_of_readers();
}
