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
unsigned long tprof_session_ring_max(const struct tprof_session *session);
unsigned long tprof_session_fifo_max(const struct tprof_session *session);
unsigned long tprof_session_ring_default(const struct tprof_session *session);
unsigned long tprof_session_fifo_default(const struct tprof_session *session);

#endif /* TPROF_SESSION_H */
