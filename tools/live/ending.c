// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - what ends a recording or a count from outside: signals, time
 */
#include <errno.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/monotonic.h"
#include "live/ending.h"

/* No wait is longer, so that no time in milliseconds overflows an int. */
#define LONGEST_MS	3600000

/* nohup(1) has SIGHUP ignored, which a signal that is blocked is not. */
static void ending_signals(sigset_t *set)
{
	struct sigaction hangup;

	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	if (!sigaction(SIGHUP, NULL, &hangup) && hangup.sa_handler != SIG_IGN)
		sigaddset(set, SIGHUP);
}

/*
 * How long poll(2) may wait.
 *
 * @until: when it is to return, CLOCK_MONOTONIC in ns
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
 * From now on signals are waited for.
 *
 * @has_command: a command runs, which gets what is typed on the terminal too
 */
int ending_catch(struct ending *ending, bool has_command)
{
	sigset_t set;

	ending->has_command = has_command;
	ending_signals(&set);
	if (sigprocmask(SIG_BLOCK, &set, NULL))
		return -errno;
	ending->fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return ending->fd < 0 ? -errno : 0;
}

/* Give signals their usual meaning again. */
void ending_release(struct ending *ending)
{
	sigset_t set;

	close(ending->fd);
	ending_signals(&set);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

/* Is this one to end what is going on? */
static bool is_end(struct ending *ending, const struct signalfd_siginfo *info)
{
	/* The kernel is the sender when a key of the terminal was pressed. */
	if (info->ssi_signo == SIGINT && info->ssi_code == SI_KERNEL && ending->has_command)
		return ending->interrupts++ > 0;
	return true;
}

/* Has a signal asked for the end, now or before? */
bool ending_is_asked(struct ending *ending)
{
	struct signalfd_siginfo info;

	while (read(ending->fd, &info, sizeof(info)) == sizeof(info))
		ending->is_asked |= is_end(ending, &info);
	return ending->is_asked;
}
