// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the events of a command line
 */
#include <errno.h>

#include "event_list.h"

static int set_event(void *field, const char *value)
{
	struct event_list *list = field;

	if (list->nr == ARRAY_SIZE(list->all))
		return -ERANGE;
	list->all[list->nr++] = value;
	return 0;
}

const struct option_type option_event = { "an event", set_event };
