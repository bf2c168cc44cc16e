// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - options shared by the commands that filter samples
 */
#include <string.h>

#include "cli/filter_rows.h"
#include "cli/say.h"

static int bad_span(const char *command, const char *option, const char *text)
{
	return say_usage("%s: %s: '%s' is not FROM,TO in seconds; give 10.5,12 or 10.5, or ,12",
			 command, option, text);
}

/*
 * Set @from and @to to the ends of @time, the value of @option. An end that is left out is
 * not set. Return STATUS_OK, or print a message and return STATUS_USAGE.
 */
int span_read(const char *command, const char *option, const char *time, u64 *from, u64 *to)
{
	const char *comma;
	char begin[64];

	comma = strchr(time, ',');
	if (!comma || (size_t)(comma - time) >= sizeof(begin))
		return bad_span(command, option, time);
	memcpy(begin, time, comma - time);
	begin[comma - time] = '\0';
	if (*begin && parse_seconds(begin, from))
		return bad_span(command, option, time);
	if (comma[1] && (parse_seconds(comma + 1, to) || *to < *from))
		return bad_span(command, option, time);
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
	return time ? span_read(command, "--time", time, &filter->from, &filter->to) : STATUS_OK;
}
