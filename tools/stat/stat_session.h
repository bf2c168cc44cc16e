/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx stat - run the command and count once
 *
 * cmd_stat.c sets the session up and tears it down, stat_session.c does a single run.
 */
#ifndef TPROF_STAT_SESSION_H
#define TPROF_STAT_SESSION_H

#include "cli/claim.h"
#include "live/child.h"
#include "live/ending.h"
#include "counts/counting.h"
#include "stat/count_file.h"
#include "stat/stat_options.h"
#include "counts/stat_output.h"

/**
 * struct stat_session - state of `stat`
 * @opts:	the parsed command line
 * @info:	back ends and limits of the module
 * @targets:	in process scope, the command, or the processes of -p or of the threads of -t
 * @claim:	the session's counters, and the parking of the watchdog for them
 * @counting:	the counts
 * @output:	output of the counts
 * @file:	the recording of --record
 * @times:	times of the runs
 * @child:	the command; @child.pid is 0 if there is none or it has ended
 * @ending:	signals that end the counting
 * @printed_at:	end of the last interval, in ns since the start
 * @is_catching: ending_catch() was called
 */
struct stat_session {
	const struct stat_options *opts;
	struct device_info info;
	struct pid_list targets;
	struct claim claim;
	struct counting counting;
	struct stat_output output;
	struct count_file file;
	struct stat_times times;
	struct child child;
	struct ending ending;
	u64	printed_at;
	bool	is_catching;
};

/* How a run ended. */
enum stat_end {
	STAT_TIME_OUT,		/* --duration is over; the command may run on */
	STAT_ENDED,		/* the command or the tasks of -p or -t have ended */
	STAT_INTERRUPTED,	/* a signal requested the end */
	STAT_FAILED,		/* an error occurred and was printed */
};

int stat_configure(struct stat_session *session);
enum stat_end stat_run_once(struct stat_session *session, bool is_last, int *status);

#endif /* TPROF_STAT_SESSION_H */
