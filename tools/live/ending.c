// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - end a recording or a count on a signal or after a time
 */
#include <errno.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/monotonic.h"
#include "live/ending.h"

/* Maximum timeout of one poll(2), which takes an int of milliseconds. */
#define LONGEST_MS	3600000

/*
 * Set @set to the signals that end a recording. Leave out SIGHUP if it is ignored, as
 * by nohup(1): a signalfd reports a blocked signal even if the signal is ignored.
 */
static void ending_signals(const struct ending *ending, sigset_t *set)
{
	struct sigaction hangup;

	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	if (ending->has_counts)
		sigaddset(set, SIGUSR1);
	if (!sigaction(SIGHUP, NULL, &hangup) && hangup.sa_handler != SIG_IGN)
		sigaddset(set, SIGHUP);
}

/*
 * Return the time until @until (CLOCK_MONOTONIC in ns) as a poll(2) timeout in ms,
 * at most LONGEST_MS.
 */
int ending_timeout(u64 until)
{
	u64 now = monotonic_ns();
	u64 ms;

	if (now >= until)
		return 0;
	ms = (until - now - 1) / NSEC_PER_MSEC + 1;
	return ms < LONGEST_MS ? ms : LONGEST_MS;
}

/*
 * Block the signals that end a recording, and receive them through a signalfd until
 * ending_release().
 */
int ending_catch(struct ending *ending, bool has_command)
{
	sigset_t set;

	ending->has_command = has_command;
	ending_signals(ending, &set);
	if (sigprocmask(SIG_BLOCK, &set, NULL))
		return -errno;
	ending->fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return ending->fd < 0 ? -errno : 0;
}

/* Close the signalfd and unblock the signals. */
void ending_release(struct ending *ending)
{
	sigset_t set;

	close(ending->fd);
	ending_signals(ending, &set);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

static bool is_end(struct ending *ending, const struct signalfd_siginfo *info)
{
	if (info->ssi_signo == SIGUSR1) {
		ending->is_count_asked = true;
		return false;
	}
	/*
	 * SI_KERNEL means Ctrl-C in the terminal, which sends SIGINT to the command too.
	 * The first SIGINT does not end the recording: the command decides whether to
	 * exit.
	 */
	if (info->ssi_signo == SIGINT && info->ssi_code == SI_KERNEL && ending->has_command)
		return ending->interrupts++ > 0;
	return true;
}

/* Read all pending signals. Return true if a signal has requested the end. */
bool ending_is_asked(struct ending *ending)
{
	struct signalfd_siginfo info;

	while (read(ending->fd, &info, sizeof(info)) == sizeof(info))
		ending->is_asked |= is_end(ending, &info);
	return ending->is_asked;
}
