/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - all sessions, for LIST
 */
#ifndef TPROF_SESSION_LIST_H
#define TPROF_SESSION_LIST_H

#include "session/session_types.h"

void tprof_session_enlist(struct tprof_session *session);
void tprof_session_delist(struct tprof_session *session);
u32 tprof_session_list(const struct tprof_session *viewer, struct tprof_lx_session *list,
		       u32 room);

#endif /* TPROF_SESSION_LIST_H */
