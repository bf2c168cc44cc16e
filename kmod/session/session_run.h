/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - starts and stops the events of a session
 */
#ifndef TPROF_SESSION_RUN_H
#define TPROF_SESSION_RUN_H

#include "session/session_types.h"

void tprof_session_forget_threads(struct tprof_session *session);
void tprof_session_set_watermark(struct tprof_session *session);
int tprof_session_start(struct tprof_session *session,
			struct tprof_lx_mask *arg);
int tprof_session_stop(struct tprof_session *session,
		       struct tprof_lx_mask *arg);
void tprof_session_stop_events(struct tprof_session *session, u32 mask);

#endif /* TPROF_SESSION_RUN_H */
