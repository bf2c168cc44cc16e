/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the events of a session, for EVENTS
 */
#ifndef TPROF_SESSION_EVENTS_H
#define TPROF_SESSION_EVENTS_H

#include "session/session_types.h"

/**
 * struct tprof_event_list - a list of events of several sessions
 * @entries:	result, zeroed by the caller
 * @room:	number of entries in @entries
 * @nr:		number of events, which may exceed @room
 * @cpu:	CPU of the numbers, or TPROF_LX_SUM
 * @may_wait:	wait for a session that is busy; false after the first one that stays busy
 */
struct tprof_event_list {
	struct tprof_lx_listed	*entries;
	u32			room;
	u32			nr;
	u32			cpu;
	bool			may_wait;
};

void tprof_session_list_events(struct tprof_session *session, struct tprof_event_list *list);

#endif /* TPROF_SESSION_EVENTS_H */
