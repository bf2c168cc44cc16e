/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - `stat` at work
 *
 * cmd_stat.c sets it up and tears it down, stat_session.c runs it once.
 */
#ifndef TPROF_STAT_SESSION_H
#define TPROF_STAT_SESSION_H

#include "cli/claim.h"
#include "live/child.h"
#include "live/ending.h"
#include "stat/counting.h"
#include "stat/stat_options.h"
#include "stat/stat_output.h"

/**
 * struct stat_session - `stat` at work
 * @opts:	what was asked for
 * @info:	what the module said
 * @claim:	its events and the watchdog
 * @counting:	the counts
 * @output:	where they are printed
 * @times:	how long it took
 * @child:	the command, @child.pid 0 when there is none or it has ended
 * @ending:	signals that end it
 * @is_catching: they are caught
 */
struct stat_session {
	const struct stat_options *opts;
	struct device_info info;
	struct claim claim;
	struct counting counting;
	struct stat_output output;
	struct stat_times times;
	struct child child;
	struct ending ending;
	bool	is_catching;
};

/* How a run ended. */
enum stat_end {
	STAT_TIME_OUT,		/* the command may run on */
	STAT_ENDED,		/* the command has ended */
	STAT_INTERRUPTED,	/* a signal asked for the end */
	STAT_FAILED,		/* why was said */
};

enum stat_end stat_run_once(struct stat_session *session, bool is_last, int *status);

#endif /* TPROF_STAT_SESSION_H */
