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
#include <sys/pidfd.h>
#include <unistd.h>

#include "base/monotonic.h"
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

/* Remove ended processes from the targets. */
static void forget_the_dead(struct recording *rec)
{
	struct pid_list *targets = &rec->targets;
	u32 i, nr = 0;

	for (i = 0; i < targets->nr; i++) {
		if (kill(targets->pids[i], 0) == 0 || errno != ESRCH)
			targets->pids[nr++] = targets->pids[i];
	}
	targets->nr = nr;
}

/*
 * Return a pidfd of the process to watch: the command, or else the first target that
 * still runs. Return -ESRCH if all targets have ended, or another -errno.
 */
static int watched_process(struct recording *rec)
{
	int fd;

	if (rec->child.pid)
		return rec->child.pidfd;
	do {
		forget_the_dead(rec);
		if (!rec->targets.nr)
			return -ESRCH;
		fd = pidfd_open(rec->targets.pids[0], 0);
	} while (fd < 0 && errno == ESRCH);
	return fd < 0 ? -errno : fd;
}

static enum recording_event what_ends(int watched)
{
	if (watched >= 0)
		return RECORDING_TIME_OUT;
	return watched == -ESRCH ? RECORDING_ENDED : RECORDING_BROKEN;
}

/* The watched process has ended: watch the next target, if there is one. */
static enum recording_event one_gone(struct recording *rec, int *watched)
{
	if (rec->child.pid)
		return RECORDING_ENDED;
	close(*watched);
	/* Remove the process here: forget_the_dead() would keep a zombie. */
	rec->targets.pids[0] = rec->targets.pids[--rec->targets.nr];
	*watched = watched_process(rec);
	return what_ends(*watched);
}

/*
 * Call poll(2) once, with a timeout at @until, and write the records that are available.
 * Return RECORDING_TIME_OUT to go on waiting, or the event that ends the recording.
 */
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
	if (ending_is_asked(&rec->ending))
		return RECORDING_INTERRUPTED;
	return fds[1].revents ? one_gone(rec, watched) : RECORDING_TIME_OUT;
}

/*
 * Set @watched to the pidfd of the process to watch, or to a negative number if there is
 * none. Return RECORDING_TIME_OUT to go on, RECORDING_ENDED if all targets have ended, or
 * RECORDING_BROKEN.
 */
static enum recording_event begin_wait(struct recording *rec, int *watched)
{
	*watched = -1;
	if (!rec->child.pid && !rec->targets.nr)
		return RECORDING_TIME_OUT;
	*watched = watched_process(rec);
	return what_ends(*watched);
}

static void end_wait(struct recording *rec, int watched)
{
	if (!rec->child.pid && watched >= 0)
		close(watched);
}

/*
 * Wait before the session starts. Return RECORDING_TIME_OUT after @ns, or the event that
 * ended the wait earlier.
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
	if (event != RECORDING_TIME_OUT || !rec->targets.nr)
		return event;
	/* If the command was watched, the targets of -p were not: all may have ended. */
	forget_the_dead(rec);
	return rec->targets.nr ? RECORDING_TIME_OUT : RECORDING_ENDED;
}

static int tick(struct recording *rec)
{
	int err = 0;

	recording_write_packed(rec, false);
	if (!rec->output_err)
		err = writer_checkpoint(&rec->writer);
	if (err)
		rec->output_err = err;
	status_show(rec);
	return err;
}

/*
 * Record until an event ends the recording, and return the event. Return
 * RECORDING_TIME_OUT when --duration is over.
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
