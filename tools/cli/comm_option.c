// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the option --comm, which names processes by a regular expression
 */
#include <errno.h>

#include "cli/comm_option.h"
#include "cli/say.h"
#include "live/named.h"

/* Find the processes, and print which ones match. */
static int add_matching(const regex_t *regex, const char *pattern, struct pid_list *pids)
{
	char text[256];
	int nr = named_find(regex, pids, text, sizeof(text));

	if (nr == -E2BIG)
		return say_error("more than %u processes match '%s'; give a longer pattern",
				 PID_LIST_MAX, pattern);
	if (nr < 0)
		return say_failure(nr, "cannot read the running processes");
	if (!nr)
		return say_error("no process has a name that matches '%s'; ps -e lists names",
				 pattern);
	say_note("'%s' matches %d process%s: %s", pattern, nr, nr > 1 ? "es" : "", text);
	return STATUS_OK;
}

/*
 * Add to @pids the processes with names that match @pattern, if it is not NULL. Return STATUS_OK,
 * or print an error of @command and return another status. It is an error if nothing matches.
 */
int comm_option_add(const char *command, const char *pattern, struct pid_list *pids)
{
	char reason[128];
	regex_t regex;
	int err, status;

	if (!pattern)
		return STATUS_OK;
	err = regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB);
	if (err) {
		regerror(err, &regex, reason, sizeof(reason));
		return say_usage("%s: --comm '%s' is no regular expression: %s", command, pattern,
				 reason);
	}
	status = add_matching(&regex, pattern, pids);
	regfree(&regex);
	return status;
}
