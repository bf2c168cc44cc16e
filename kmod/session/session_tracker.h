/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the side-band records that the events of a session request
 */
#ifndef TPROF_SESSION_TRACKER_H
#define TPROF_SESSION_TRACKER_H

#include "session/session_types.h"

int tprof_session_track(struct tprof_session *session);
void tprof_session_untrack(struct tprof_session *session);

#endif /* TPROF_SESSION_TRACKER_H */
