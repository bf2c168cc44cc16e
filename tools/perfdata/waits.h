/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - events that measure time, the state of a thread during a wait, and wakeups
 */
#ifndef TPROF_WAITS_H
#define TPROF_WAITS_H

#include "perfdata/reader.h"

/* What the periods of an event's samples are. */
enum event_time {
	TIME_NONE,	/* not times */
	TIME_ON_CPU,	/* nanoseconds for which threads ran */
	TIME_OFF_CPU,	/* nanoseconds for which threads did not run */
};

enum event_time event_time(const struct reader_event *event);
bool event_wakes(const struct reader_event *event);
const char *wait_state(const struct reader_event *event, const struct sample *sample);
bool wait_needs_no_waker(const char *state);
u32 wake_thread(const struct sample *sample);

#endif /* TPROF_WAITS_H */
