// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx stat - run the command and count once
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>

#include "base/monotonic.h"
#include "cli/say.h"
#include "cli/streams.h"
#include "live/privileges.h"
#include "live/watch.h"
#include "stat/stat_session.h"

/* Maximum time to wait for the end of the command after an interrupt. */
#define FAREWELL_MS	1000

/*
 * Configure the session with the smallest buffers, because it does not sample.
 * claim_threads() adds the threads of -t later.
 */
int stat_configure(struct stat_session *session)
{
	const struct stat_options *opts = session->opts;
	const struct claim_scope scope = { &session->targets, opts->tids.nr, opts->no_inherit };
	struct tprof_lx_config config = {
		.ring_bytes = session->info.info.ring_min,
		.fifo_bytes = session->info.info.fifo_min,
	};

	return claim_configure(&session->claim, &scope, &config);
}

/* Each run has a command of its own, which becomes the target of the session. */
static int target_command(struct stat_session *session)
{
	session->targets = (struct pid_list){ .pids = { session->child.pid }, .nr = 1 };
	return stat_configure(session);
}

/*
 * Fork the command before catching signals and dropping capabilities. Otherwise, the
 * command would inherit blocked signals and lack the dropped capabilities.
 */
static int prepare(struct stat_session *session, bool is_last)
{
	struct identity identity = { .no_stdout = session->output.out == stdout };
	int err = 0;

	if (session->is_catching)
		ending_release(&session->ending);
	session->is_catching = false;
	if (!session->opts->as_root)
		identity_of_invoker(&identity);
	if (*session->opts->command)
		err = child_prepare(&session->child, session->opts->command, &identity);
	if (err)
		return say_failure(err, "cannot start the command");
	if (is_last)
		err = privileges_drop(PRIVILEGES_NONE, session->child.pid && identity.changed);
	if (err)
		return say_failure(err, "cannot drop capabilities");
	err = ending_catch(&session->ending, session->child.pid);
	if (err)
		return say_failure(err, "cannot wait for signals");
	session->is_catching = true;
	if (session->opts->is_process_scope && session->child.pid)
		return target_command(session);
	return STATUS_OK;
}

/*
 * Start counting. If there are too few free counters, fail for events of -e, but count
 * as many of the default events as possible. Return STAT_TIME_OUT, or STAT_ENDED if the
 * tasks of -p or -t have ended since an earlier run, or STAT_FAILED.
 */
static enum stat_end start(struct stat_session *session)
{
	struct counting *counting = &session->counting;
	struct message msg;
	u32 degraded;
	int err;

	do {
		err = claim_start(&session->claim, counting_mask(counting), &degraded, &msg);
	} while (err == -EBUSY && session->opts->is_default && counting_shrink(counting));
	if (err == -ESRCH && !session->child.pid && session->times.elapsed.nr)
		return STAT_ENDED;
	if (err)
		say_error("%s", msg.text);
	return err ? STAT_FAILED : STAT_TIME_OUT;
}

static int print_interval(struct stat_session *session, u64 time)
{
	int err = counting_read(&session->counting);

	if (err)
		return say_failure(err, "cannot read the counts");
	session->counting.elapsed_ns = time - session->printed_at;
	if (!session->counting.is_cumulative)
		session->printed_at = time;
	stat_lines(&session->output, time);
	err = stream_error(session->output.out);
	if (err)
		return say_failure(err, "cannot write the counts");
	return count_file_round(&session->file, &session->targets, time);
}

/*
 * Convert @err, the result of watch_session() or watch_next(). Return
 * STAT_TIME_OUT if there is still something to wait for.
 */
static enum stat_end what_ends(int err)
{
	if (!err)
		return STAT_TIME_OUT;
	if (err == -ESRCH)
		return STAT_ENDED;
	say_failure(err, "cannot wait for the processes of -p");
	return STAT_FAILED;
}

static enum stat_end wait_once(struct stat_session *session, struct watch *watch, u64 until)
{
	struct pollfd fds[] = {
		{ .fd = session->ending.fd, .events = POLLIN },
		{ .fd = watch->fd, .events = POLLIN },
		{ .fd = session->claim.device },
	};

	if (poll(fds, ARRAY_SIZE(fds), ending_timeout(until)) < 0 && errno != EINTR) {
		say_failure(-errno, "cannot wait");
		return STAT_FAILED;
	}
	/* Check signals before the command's end: one Ctrl-C may have caused both. */
	if (ending_is_asked(&session->ending))
		return STAT_INTERRUPTED;
	/* While the command runs, it is a target, so the session goes on. */
	if (fds[2].revents)
		return STAT_ENDED;
	return fds[1].revents ? what_ends(watch_next(watch)) : STAT_TIME_OUT;
}

static enum stat_end wait_for_end(struct stat_session *session, u64 started)
{
	u64 interval = session->opts->interval, duration = session->opts->duration;
	u64 end = duration ? started + duration : ~0ULL;
	u64 next = interval ? started + interval : ~0ULL;
	u64 now = started;
	enum stat_end event;
	struct watch watch;

	event = what_ends(watch_session(&watch, &session->child,
					session->opts->comm.follow ? NULL : &session->targets,
					&session->info.info));
	while (event == STAT_TIME_OUT && now < end) {
		event = wait_once(session, &watch, next < end ? next : end);
		now = monotonic_ns();
		if (event != STAT_TIME_OUT || now < next || now >= end)
			continue;
		if (print_interval(session, now - started))
			event = STAT_FAILED;
		/* Skip missed intervals: this reading includes their counts. */
		next += (now - next) / interval * interval + interval;
	}
	watch_end(&watch);
	return event;
}

/* Wait until the session has drained. Until then, CONFIG of the next run would fail. */
static void drain(struct stat_session *session)
{
	struct pollfd pfd = { .fd = session->claim.device };

	poll(&pfd, 1, -1);
}

static int finish(struct stat_session *session, u64 started)
{
	u64 stopped;
	int status, err = device_stop(session->claim.device, ~0U);

	stopped = monotonic_ns();
	if (err)
		return say_failure(err, "cannot stop the count");
	drain(session);
	statistics_add(&session->times.elapsed, (double)(stopped - started) / NSEC_PER_SEC);
	if (session->opts->interval)
		return print_interval(session, stopped - started);
	err = session->opts->per_thread ? counting_read_threads(&session->counting) :
					  counting_read(&session->counting);
	if (err)
		return say_failure(err, "cannot read the counts");
	session->counting.elapsed_ns = session->times.elapsed.mean * NSEC_PER_SEC;
	status = count_file_round(&session->file, &session->targets, stopped - started);
	/* The file has the threads, so that --report can print either. */
	err = session->opts->per_process ? counting_join_threads(&session->counting) : 0;
	if (err)
		return say_failure(err, "cannot add up the counts");
	counting_end_run(&session->counting);
	return status;
}

static double seconds(const struct timeval *time)
{
	return time->tv_sec + time->tv_usec / 1e6;
}

/*
 * After an interrupt, send SIGTERM to the command and wait at most FAREWELL_MS for its
 * end. If --duration is over, let the command run on. Otherwise, wait for its end.
 */
static void bury(struct stat_session *session, enum stat_end event, int *status)
{
	struct pollfd pfd = { .fd = session->child.pidfd, .events = POLLIN };

	if (!session->child.pid)
		return;
	if (event == STAT_INTERRUPTED)
		child_end(&session->child, SIGTERM);
	if (event == STAT_TIME_OUT ||
	    (event == STAT_INTERRUPTED && poll(&pfd, 1, FAREWELL_MS) <= 0))
		return;
	*status = child_wait(&session->child);
	statistics_add(&session->times.user, seconds(&session->child.usage.ru_utime));
	statistics_add(&session->times.sys, seconds(&session->child.usage.ru_stime));
}

/*
 * Run the command and count. The end of the command, --duration or a signal ends the
 * run. If @is_last, drop the capabilities that only a further run would need. Set
 * @status to the exit status of the command if it has ended, or of this program after a
 * failure. If the tasks of -p or -t have ended before the run, there is no run.
 */
enum stat_end stat_run_once(struct stat_session *session, bool is_last, int *status)
{
	enum stat_end event;
	u64 started;
	int err;

	*status = prepare(session, is_last);
	event = *status ? STAT_FAILED : start(session);
	if (event != STAT_TIME_OUT) {
		*status = event == STAT_FAILED ? STATUS_FAILED : STATUS_OK;
		return event;
	}
	started = monotonic_ns();
	err = session->child.pid ? child_release(&session->child) : 0;
	if (err) {
		say_failure(err, *session->opts->command);
		*status = child_wait(&session->child);
		return STAT_FAILED;
	}
	event = wait_for_end(session, started);
	if (event == STAT_FAILED || finish(session, started)) {
		*status = STATUS_FAILED;
		return STAT_FAILED;
	}
	bury(session, event, status);
	return event;
}
