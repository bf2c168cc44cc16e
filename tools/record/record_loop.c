// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - main loop of a recording
 *
 * Each poll(2) waits for a signal, for the end of the watched process, or for a time-out.
 * While the session runs, it also waits for records.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>

#include "base/monotonic.h"
#include "cli/say.h"
#include "live/watch.h"
#include "record/recording.h"

/* Interval between updates of the header and of the status line. */
#define TICK_NS		NSEC_PER_SEC

/* Let signals end the recording cleanly from here on. */
int recording_catch_signals(struct recording *rec)
{
	/*
	 * Ignore these signals, so that write(2) fails with EPIPE or EFBIG instead.
	 */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	return ending_catch(&rec->ending, rec->child.pid);
}

/*
 * Convert @err, the result of watch_session() or watch_next(). Return
 * RECORDING_TIME_OUT if there is still something to wait for.
 */
static enum recording_event what_ends(int err)
{
	if (!err)
		return RECORDING_TIME_OUT;
	return err == -ESRCH ? RECORDING_ENDED : RECORDING_BROKEN;
}

/*
 * Call poll(2) once, with a timeout at @until, and write the records that are available.
 * Return what ends the recording, or RECORDING_TIME_OUT if nothing does yet.
 */
static enum recording_event wait_once(struct recording *rec, struct watch *watch, u64 until,
				      int device)
{
	struct pollfd fds[] = {
		{ .fd = rec->ending.fd, .events = POLLIN },
		{ .fd = watch->fd, .events = POLLIN },
		{ .fd = device, .events = POLLIN },
	};
	int err;

	if (poll(fds, ARRAY_SIZE(fds), ending_timeout(until)) < 0)
		return errno == EINTR ? RECORDING_TIME_OUT : RECORDING_BROKEN;
	if (fds[2].revents) {
		err = recording_pump(rec);
		if (err < 0 && err != -EAGAIN)
			return RECORDING_BROKEN;
		if (err == 0)
			return RECORDING_ENDED;
	}
	if (rec->output_err)
		return RECORDING_BROKEN;
	if (ending_is_asked(&rec->ending))
		return RECORDING_INTERRUPTED;
	return fds[1].revents ? what_ends(watch_next(watch)) : RECORDING_TIME_OUT;
}

static enum recording_event watch_recording(struct recording *rec, struct watch *watch)
{
	struct pid_list *targets = rec->comm.follow ? NULL : &rec->targets;

	return what_ends(watch_session(watch, &rec->child, targets, &rec->info.info));
}

/*
 * Wait before the session starts. Return RECORDING_TIME_OUT after @ns, or what
 * ended the wait earlier. If all targets end during the wait, START reports it.
 */
enum recording_event recording_wait(struct recording *rec, u64 ns)
{
	u64 until = monotonic_ns() + ns;
	enum recording_event event;
	struct watch watch;

	event = watch_recording(rec, &watch);
	while (event == RECORDING_TIME_OUT && monotonic_ns() < until)
		event = wait_once(rec, &watch, until, -1);
	watch_end(&watch);
	return event;
}

static int tick(struct recording *rec)
{
	int err = 0;

	if (rec->unfinished.write)
		unfinished_retry(&rec->unfinished);
	recording_write_packed(rec, false);
	if (!rec->output_err)
		err = writer_checkpoint(&rec->writer);
	if (err)
		rec->output_err = err;
	status_show(rec);
	return err;
}

static u64 earliest(u64 a, u64 b, u64 c)
{
	u64 first = a < b ? a : b;

	return first < c ? first : c;
}

/* Print the counts if SIGUSR1 asked for them, or if an interval is over. */
static int print_counts(struct recording *rec, u64 now, u64 *next)
{
	int status = STATUS_OK;

	if (rec->ending.is_count_asked)
		status = recording_print_counts(rec, now);
	rec->ending.is_count_asked = false;
	if (status || now < *next)
		return status;
	*next = recording_next_interval(rec, now);
	return recording_print_interval(rec, now);
}

/*
 * Record until something ends the recording. Return what ended it. RECORDING_TIME_OUT
 * means that --duration is over.
 */
enum recording_event recording_loop(struct recording *rec)
{
	u64 end = rec->duration ? rec->started + rec->duration : ~0ULL;
	u64 now = monotonic_ns(), next_tick = now + TICK_NS;
	u64 next_counts = recording_next_interval(rec, rec->started);
	enum recording_event event;
	struct watch watch;

	event = watch_recording(rec, &watch);
	while (event == RECORDING_TIME_OUT && now < end) {
		event = wait_once(rec, &watch, earliest(end, next_tick, next_counts), rec->device);
		now = monotonic_ns();
		if (event == RECORDING_TIME_OUT && print_counts(rec, now, &next_counts))
			event = RECORDING_BROKEN;
		if (now < next_tick)
			continue;
		next_tick = now + TICK_NS;
		if (tick(rec) && event == RECORDING_TIME_OUT)
			event = RECORDING_BROKEN;
	}
	watch_end(&watch);
	status_clear();
	return event;
}
