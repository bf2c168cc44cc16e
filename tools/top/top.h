/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx top - the session, its threads and its profiles
 *
 *   session's queue -> feed -> fading -> live_profile -> tables
 *                        binaries -> resolver -> symbols
 *
 * The thread of feed.h reads records as `report` does: reader_begin() makes a reader with
 * bytes from the session's queue. It counts samples by call stack, without functions, and
 * hands the stacks over at the end of each interval, with all that they refer to except
 * binaries. fading.h adds them to those of older intervals, which count less each time.
 * live_profile.h counts all stacks that are left in new profiles, so functions get their names
 * as soon as the thread of resolver.h has loaded the symbols.
 *
 * The lines above the tables (status.h) have what was lost, by cause, and what this process
 * uses. All memory is bounded: world.h forgets tasks and processes that ended long ago,
 * fading.h stacks that have faded away. Names of threads stay, up to a number of them: tables,
 * zooms and open rows refer to these keys.
 */
#ifndef TPROF_TOP_H
#define TPROF_TOP_H

#include "live/ending.h"
#include "top/live_profile.h"
#include "top/sampling.h"

/* How long a table waits for the samples of its interval. */
#define TOP_PATIENCE	NSEC_PER_SEC

/**
 * struct top - all of it; empty if all members are zero
 * @opts:	the command line
 * @sampling:	the session
 * @feed:	reads its records
 * @has_feed:	feed_begin() was called
 * @resolver:	loads symbols
 * @live:	the profiles
 * @ending:	signals that end the command
 * @before:	time of the last top_describe()
 * @cpu_before:	CPU time of this process then
 */
struct top {
	const struct top_options *opts;
	struct sampling sampling;
	struct feed feed;
	bool	has_feed;
	struct resolver *resolver;
	struct live_profile live;
	struct ending ending;
	u64	before;
	u64	cpu_before;
};

int top_begin(struct top *top, const struct top_options *opts);
bool top_take(struct top *top, enum fading_older older, u64 until, bool *is_due, int *status);
bool top_pause(struct top *top, int *status);
int top_describe(struct top *top, struct status *status);
void top_end(struct top *top);

/* Show tables until the end (top_stdio.c, top_screen.c). Return an exit status. */
int top_print_all(struct top *top);
int top_browse(struct top *top);

#endif /* TPROF_TOP_H */
