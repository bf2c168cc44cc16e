/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - ledger, state and marks of a session
 */
#ifndef TPROF_SESSION_REPORT_H
#define TPROF_SESSION_REPORT_H

#include "session/session_types.h"

int tprof_session_note(struct tprof_session *session, const char *prefix,
		       const char *text, u64 value);
int tprof_session_mark(struct tprof_session *session,
		       const struct tprof_lx_mark *mark);
bool tprof_session_try_lock(struct tprof_session *session, bool may_wait);
int tprof_session_sum(struct tprof_session *session, struct tprof_lx_stats *stats,
		      bool may_wait);
int tprof_session_stats(struct tprof_session *session,
			struct tprof_lx_stats *stats);

#endif /* TPROF_SESSION_REPORT_H */
