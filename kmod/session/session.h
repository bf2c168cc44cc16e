/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - an open file of the device, from open to the end
 */
#ifndef TPROF_SESSION_H
#define TPROF_SESSION_H

#include "session/session_types.h"

struct tprof_session *tprof_session_alloc(bool has_privileges);
void tprof_session_free(struct tprof_session *session);
u64 tprof_session_new_number(void);

#endif /* TPROF_SESSION_H */
