// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - what a recording waits for
 *
 * One poll(2) over the device, the signals and the process whose end is the
 * recording's.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/pidfd.h>
#include <unistd.h>

#include "recording.h"

/* How often the header is rewritten and the status line renewed. */
#define TICK_NS		NSEC_PER_SEC

/**
 * recording_catch_signals - from now on signals end the recording cleanly
 * @rec:	the recording
 *
 * Return: 0 or -errno.
 */
int recording_catch_signals(struct recording *rec)
{
	/* A full file or a closed pipe is told by write(2). */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	return ending_catch(&rec->ending);
}

/* A descriptor of the process whose end is next to wait for, or -1. */
static int watched_process(struct recording *rec)
{
	int fd;

	if (rec->child.pid)
		return rec->child.pidfd;
	while (rec->targets.nr) {
		fd = pidfd_open(rec->targets.pids[rec->targets.nr - 1], 0);
		if (fd >= 0)
			return fd;
		rec->targets.nr--;
	}
	return -1;
}

/* One process has ended. Return: was it the last that counts? */
static bool last_one_gone(struct recording *rec, int *fd)
{
	if (rec->child.pid)
		return true;
	close(*fd);
	rec->targets.nr--;
	*fd = watched_process(rec);
	return *fd < 0;
}

/* Wait until @until, or until something but the device has news. */
static enum recording_event wait_once(struct recording *rec, int *watched, u64 until, int device)
{
	struct pollfd fds[] = {
		{ .fd = rec->ending.fd, .events = POLLIN },
		{ .fd = *watched, .events = POLLIN },
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
	if (fds[0].revents && ending_is_asked(&rec->ending, rec->child.pid))
		return RECORDING_INTERRUPTED;
	if (fds[1].revents && last_one_gone(rec, watched))
		return RECORDING_ENDED;
	return RECORDING_TIME_OUT;
}

/* Return: RECORDING_ENDED when all that was to be waited for is gone already. */
static enum recording_event begin_wait(struct recording *rec, int *watched)
{
	bool has_end = rec->child.pid || rec->targets.nr;

	*watched = watched_process(rec);
	return has_end && *watched < 0 ? RECORDING_ENDED : RECORDING_TIME_OUT;
}

static void end_wait(struct recording *rec, int watched)
{
	if (!rec->child.pid && watched >= 0)
		close(watched);
}

/**
 * recording_wait - wait before the session runs
 * @rec:	the recording
 * @ns:		how long
 *
 * Return: RECORDING_TIME_OUT when the time is over, or what ended it before.
 */
enum recording_event recording_wait(struct recording *rec, u64 ns)
{
	u64 until = monotonic_ns() + ns;
	enum recording_event event;
	int watched;

	event = begin_wait(rec, &watched);
	while (event == RECORDING_TIME_OUT && monotonic_ns() < until)
		event = wait_once(rec, &watched, until, -1);
	end_wait(rec, watched);
	return event;
}

static int tick(struct recording *rec)
{
	int err = 0;

	if (!rec->output_err)
		err = perfdata_checkpoint(&rec->writer);
	if (err)
		rec->output_err = err;
	status_show(rec);
	return err;
}

/**
 * recording_loop - record until something ends it
 * @rec:	the recording, whose session runs
 *
 * Return: what ended it; RECORDING_TIME_OUT when its time is over.
 */
enum recording_event recording_loop(struct recording *rec)
{
	u64 end = rec->duration ? rec->started + rec->duration : ~0ULL;
	u64 now = monotonic_ns(), next_tick = now + TICK_NS;
	enum recording_event event;
	int watched;

	event = begin_wait(rec, &watched);
	while (event == RECORDING_TIME_OUT && now < end) {
		event = wait_once(rec, &watched, next_tick < end ? next_tick : end, rec->device);
		now = monotonic_ns();
		if (now < next_tick)
			continue;
		next_tick = now + TICK_NS;
		if (tick(rec) && event == RECORDING_TIME_OUT)
			event = RECORDING_BROKEN;
	}
	end_wait(rec, watched);
	status_clear();
	return event;
}
