/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx stat - add the events of -e, or the default events
 */
#ifndef TPROF_STAT_EVENTS_H
#define TPROF_STAT_EVENTS_H

#include "stat/stat_session.h"

int stat_add_events(struct stat_session *session);

#endif /* TPROF_STAT_EVENTS_H */
