// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - options shared by the commands that filter samples
 */
#include <string.h>

#include "cli/filter_rows.h"
#include "cli/say.h"

static int bad_time(const char *command, const char *text)
{
	return say_usage("%s: --time: '%s' is not FROM,TO in seconds; give 10.5,12 or 10.5, or ,12",
			 command, text);
}

static int read_time(const char *command, const char *time, struct gather_filter *filter)
{
	const char *comma;
	char from[64];

	comma = strchr(time, ',');
	if (!comma || (size_t)(comma - time) >= sizeof(from))
		return bad_time(command, time);
	memcpy(from, time, comma - time);
	from[comma - time] = '\0';
	if (*from && parse_seconds(from, &filter->from))
		return bad_time(command, time);
	if (comma[1] && (parse_seconds(comma + 1, &filter->to) || filter->to < filter->from))
		return bad_time(command, time);
	return STATUS_OK;
}

/*
 * Set the times of @filter to those of option --time, if it was given, and check the other
 * options. Return STATUS_OK, or print a message and return STATUS_USAGE.
 */
int filter_read(const char *command, const char *time, struct gather_filter *filter)
{
	if (filter->user_only && filter->kernel_only)
		return say_usage("%s: --user-only and --kernel-only leave no sample; give one of them",
				 command);
	return time ? read_time(command, time, filter) : STATUS_OK;
}
