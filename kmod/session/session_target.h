/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - processes and threads that a session is attached to
 */
#ifndef TPROF_SESSION_TARGET_H
#define TPROF_SESSION_TARGET_H

#include "session/session_types.h"

int tprof_session_attach(struct tprof_session *session,
			 const struct tprof_lx_target *arg);
int tprof_session_detach(struct tprof_session *session,
			 const struct tprof_lx_target *arg);
int tprof_session_follow(struct tprof_session *session, const struct tprof_lx_follow *arg,
			 const u8 *states);
int tprof_session_nr_followed(struct tprof_session *session, u64 *nr);

#endif /* TPROF_SESSION_TARGET_H */
