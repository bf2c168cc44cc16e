// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx top - print tables, one after the other
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>

#include "cli/say.h"
#include "top/top.h"
#include "top/top_text.h"

static void wait_until(struct top *top, u64 until)
{
	struct pollfd fds[] = {
		{ .fd = top->ending.fd, .events = POLLIN },
		{ .fd = top->feed.ready, .events = POLLIN },
	};

	poll(fds, ARRAY_SIZE(fds), ending_timeout(until));
}

static int print(struct top *top)
{
	struct status status;
	int err = top_describe(top, &status);

	if (err)
		return say_failure(err, "cannot count the samples");
	top_text_print(top->opts, &status, top->live.gather);
	return fflush(stdout) ? STATUS_FAILED : STATUS_OK;
}

/* Print tables until a signal, the last table of -n or the end of the session. */
int top_print_all(struct top *top)
{
	const struct top_options *opts = top->opts;
	int status = STATUS_OK;
	bool is_due, goes_on = true;
	u64 nr = 0, until;

	while (goes_on && !status && (!opts->number || nr < opts->number)) {
		until = top->before + opts->delay + TOP_PATIENCE;
		wait_until(top, until);
		goes_on = top_take(top, opts->older, until, &is_due, &status);
		if (status || !is_due || (!goes_on && top->ending.is_asked))
			continue;
		status = print(top);
		nr++;
	}
	return status;
}
