/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the -e options of a command line, as typed
 */
#ifndef TPROF_EVENT_LIST_H
#define TPROF_EVENT_LIST_H

#include <linux/tprof_lx.h>

#include "base/message.h"
#include "cli/command.h"
#include "events/event_spec.h"

/**
 * struct event_list - the values of all -e options, in the order given
 * @all:	the values; each is one event or several with commas between them
 * @nr:		number of values
 */
struct event_list {
	const char *all[TPROF_LX_MAX_EVENTS];
	u32	nr;
};

extern const struct option_type option_event;

int event_list_parse(const struct event_list *list, struct event_spec *specs, u32 room, u32 *nr,
		     struct message *msg);

#endif /* TPROF_EVENT_LIST_H */
