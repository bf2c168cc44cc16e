/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - all sessions, for SESSIONS and EVENTS
 */
#ifndef TPROF_SESSION_LIST_H
#define TPROF_SESSION_LIST_H

#include "session/session_events.h"
#include "session/session_types.h"

void tprof_session_enlist(struct tprof_session *session);
void tprof_session_delist(struct tprof_session *session);
u32 tprof_session_list(const struct tprof_session *viewer, struct tprof_lx_session *list,
		       u32 room);
void tprof_session_list_all_events(const struct tprof_session *viewer,
				   struct tprof_event_list *list);

#endif /* TPROF_SESSION_LIST_H */
