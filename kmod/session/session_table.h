/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - unwind tables that a session gives
 */
#ifndef TPROF_SESSION_TABLE_H
#define TPROF_SESSION_TABLE_H

#include "session/session_types.h"

int tprof_session_get_tables(struct tprof_session *session);
void tprof_session_put_tables(struct tprof_session *session);
int tprof_session_give_table(struct tprof_session *session, const struct tprof_object_id *id,
			     struct tprof_object_table *table);

#endif /* TPROF_SESSION_TABLE_H */
