// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the -e options of a command line, as typed
 */
#include <errno.h>

#include "cli/event_list.h"
#include "events/event_parse.h"

static int set_event(void *field, const char *value)
{
	struct event_list *list = field;

	if (list->nr == ARRAY_SIZE(list->all))
		return -ERANGE;
	list->all[list->nr++] = value;
	return 0;
}

const struct option_type option_event = { "an event", set_event };

/*
 * Parse all values of @list into @specs, an array of @room entries, and set @nr to
 * the number of events. Return 0, or set @msg and return -errno.
 */
int event_list_parse(const struct event_list *list, struct event_spec *specs, u32 room, u32 *nr,
		     struct message *msg)
{
	int err = 0;

	*nr = 0;
	for (u32 i = 0; i < list->nr && !err; i++)
		err = event_parse_list(list->all[i], specs, room, nr, msg);
	return err;
}
