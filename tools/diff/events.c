// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx diff - the events of recordings
 */
#include <string.h>

#include "base/printable.h"
#include "cli/say.h"
#include "diff/events.h"

/* Return the number of events with this name. */
static u32 count_events(const struct reader *reader, const char *name)
{
	u32 nr = 0, i;

	for (i = 0; i < reader->nr_events; i++)
		nr += !strcmp(reader->events[i].name, name);
	return nr;
}

/*
 * Check that @other has the events of @recording, as far as @filter takes them. Return
 * STATUS_OK, or print a message and return STATUS_FAILED.
 */
int events_check(const struct gather_filter *filter, const struct recording *recording,
		 const struct recording *other)
{
	const struct reader *reader = recording->reader;
	const char *name;
	u32 i;

	for (i = 0; i < reader->nr_events; i++) {
		name = reader->events[i].name;
		if (!filter_takes_event(filter, name))
			continue;
		if (count_events(reader, name) > 1)
			return say_error("%s has several events '%s'; choose others with --event",
					 printable(recording->name), printable(name));
		if (!count_events(other->reader, name))
			return say_error("%s has no event '%s' of %s; choose common events with --event",
					 printable(other->name), printable(name),
					 printable(recording->name));
	}
	return STATUS_OK;
}

/* Report that @file has no samples of @event, but that @other has. Return STATUS_FAILED. */
int events_say_missing(const char *file, const char *event, const char *other)
{
	return say_error("%s has no samples of event '%s', but %s has; nothing can be compared",
			 printable(file), printable(event), printable(other));
}
