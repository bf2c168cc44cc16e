/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the events of a command line: every -e, as it was typed
 */
#ifndef TPROF_EVENT_LIST_H
#define TPROF_EVENT_LIST_H

#include <linux/tprof_lx.h>

#include "base/message.h"
#include "cli/command.h"
#include "events/event_spec.h"

/**
 * struct event_list - every -e in the order given
 * @all:	the texts, each one or more events with commas between them
 * @nr:		number of texts
 */
struct event_list {
	const char *all[TPROF_LX_MAX_EVENTS];
	u32	nr;
};

extern const struct option_type option_event;

int event_list_parse(const struct event_list *list, struct event_spec *specs, u32 room, u32 *nr,
		     struct message *msg);

#endif /* TPROF_EVENT_LIST_H */
