/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - counts of a session
 */
#ifndef TPROF_SESSION_COUNT_H
#define TPROF_SESSION_COUNT_H

#include "session/session_types.h"

int tprof_session_read(struct tprof_session *session,
		       struct tprof_lx_count *count);
int tprof_session_threads(struct tprof_session *session, struct tprof_lx_threads *arg,
			  struct tprof_lx_thread *threads, u32 room);
int tprof_session_write(struct tprof_session *session,
			const struct tprof_lx_count *count);

#endif /* TPROF_SESSION_COUNT_H */
