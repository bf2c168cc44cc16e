/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the end of several events of a session
 */
#ifndef TPROF_EVENT_END_H
#define TPROF_EVENT_END_H

#include "session/event.h"

void tprof_event_end_all(struct tprof_event **events, u32 nr);

#endif /* TPROF_EVENT_END_H */
