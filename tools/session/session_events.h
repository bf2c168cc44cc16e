/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the events of a session
 */
#ifndef TPROF_SESSION_EVENTS_H
#define TPROF_SESSION_EVENTS_H

#include "cli/claim.h"
#include "events/event_attr.h"
#include "perfdata/feature_set.h"

/**
 * struct session_events - the events of a session
 * @claim:	the session
 * @all:	the events
 * @cores:	kind of cores that each event is for, as in struct event_spec
 * @nr:		number of events
 * @needs_all:	samples may be of processes that are no targets
 */
struct session_events {
	struct claim *claim;
	struct perfdata_event all[TPROF_LX_MAX_EVENTS];
	u32	cores[TPROF_LX_MAX_EVENTS];
	u32	nr;
	bool	needs_all;
};

int session_events_add(struct session_events *events, const struct event_defaults *defaults,
		       const struct event_spec *spec);
int session_events_add_clock(struct session_events *events,
			     const struct event_defaults *defaults, const char *why);
int session_events_add_default(struct session_events *events,
			       const struct event_defaults *defaults);
int session_events_count(struct session_events *events, const struct event_defaults *defaults,
			 const struct event_spec *spec);
u64 session_ring_bytes(const struct session_events *events, const struct tprof_lx_info *info);
void session_events_free(struct session_events *events);

#endif /* TPROF_SESSION_EVENTS_H */
