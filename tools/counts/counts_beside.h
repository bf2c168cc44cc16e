/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx counts - events of --count beside those that sample
 */
#ifndef TPROF_COUNTS_BESIDE_H
#define TPROF_COUNTS_BESIDE_H

#include "cli/event_list.h"
#include "counts/counting.h"
#include "session/session_events.h"

int counts_beside_add(struct counting *counting, struct session_events *events,
		      const struct event_list *list, const struct event_defaults *defaults);

#endif /* TPROF_COUNTS_BESIDE_H */
