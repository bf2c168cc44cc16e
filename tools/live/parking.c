// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - park the NMI watchdog, and restore it in any case
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "live/device.h"
#include "live/parking.h"
#include "live/privileges.h"

/* Interval at which the guardian checks whether the counters are free. */
#define LOOK_MS		20

static bool counters_are_free(void)
{
	struct device_info info;
	int err, fd = device_open();
	u32 i;

	/* A module that is gone, or that refuses us, can report no counters. */
	if (fd < 0)
		return fd != -EMFILE && fd != -ENFILE && fd != -EBUSY;
	err = device_info(fd, &info);
	close(fd);
	for (i = 0; !err && i < info.info.nr_backends; i++) {
		if (info.backends[i].flags & TPROF_LX_BACKEND_COUNTER && info.backends[i].nr_events)
			return false;
	}
	return true;
}

const struct parking_places parking_system = {
	.watchdog = "/proc/sys/kernel/nmi_watchdog",
	.lock = "/run/tprof-lx.lock",
	.are_free = counters_are_free,
};

/* Is the watchdog on? Return 1 or 0, or -errno; -ENOENT if the kernel has none. */
int parking_watchdog(const struct parking_places *places)
{
	int fd = open(places->watchdog, O_RDONLY | O_CLOEXEC);
	char text[16] = "";
	ssize_t len;

	if (fd < 0)
		return -errno;
	len = read(fd, text, sizeof(text) - 1);
	close(fd);
	return len < 0 ? -EIO : atoi(text) != 0;
}

static int switch_watchdog(const struct parking_places *places, bool on)
{
	int fd = open(places->watchdog, O_WRONLY | O_CLOEXEC);
	int err = 0;

	if (fd < 0)
		return -errno;
	if (write(fd, on ? "1\n" : "0\n", 2) != 2)
		err = -errno;
	close(fd);
	return err;
}

static int open_lock(const struct parking_places *places)
{
	return open(places->lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
}

static int lock(int fd, int how)
{
	int ret;

	do {
		ret = flock(fd, how);
	} while (ret && errno == EINTR);
	return ret ? -errno : 0;
}

/*
 * Become a user of counters. Call this before the first event is added. It waits while
 * a guardian is switching the watchdog on. A process without access to the lock goes
 * on without it: the guardian also checks the module's INFO.
 */
void parking_join(struct parking *parking, const struct parking_places *places)
{
	*parking = (struct parking){ .places = places, .lock = open_lock(places), .wire = -1 };
	if (parking->lock >= 0)
		lock(parking->lock, LOCK_SH);
}

/* The lock, if available, keeps other processes from starting to use counters. */
static bool put_back(const struct parking_places *places, int lock_fd, int how)
{
	bool done = false;

	if (lock_fd >= 0 && lock(lock_fd, LOCK_EX | how))
		return false;
	/* Done even if the write failed: it would fail later as well. */
	if (places->are_free())
		done = switch_watchdog(places, true) || parking_watchdog(places) != 0;
	if (lock_fd >= 0)
		lock(lock_fd, LOCK_UN);
	return done;
}

/* Runs in the guardian: wait for end of file, restore the watchdog. Never returns. */
static void stand_guard(const struct parking_places *places, int wire)
{
	int lock_fd;
	char byte;

	setsid();
	/* Use another name: killall tprof-lx must not end the guardian. */
	prctl(PR_SET_NAME, "unpark-watchdog");
	if (chdir("/"))
		_exit(1);
	/* Keep no terminal, pipe or session open. */
	if (dup2(wire, 0) < 0 || close_range(1, ~0U, 0))
		_exit(1);
	lock_fd = open_lock(places);
	if (privileges_drop(PRIVILEGES_GUARD, false) || send(0, "", 1, MSG_NOSIGNAL) != 1)
		_exit(1);
	while (read(0, &byte, 1) != 0)
		;
	if (put_back(places, lock_fd, LOCK_NB))
		_exit(0);
	/* Others use the counters. Let dismiss() return before they are done. */
	send(0, "", 1, MSG_NOSIGNAL);
	while (!put_back(places, lock_fd, 0))
		poll(NULL, 0, LOOK_MS);
	_exit(0);
}

static int fork_guardian(struct parking *parking)
{
	int pair[2], err = 0;
	sigset_t all, before;
	char byte;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
		return -errno;
	/* Fork with all signals blocked: only SIGKILL ends the guardian. */
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	parking->guardian = fork();
	if (parking->guardian == 0)
		stand_guard(parking->places, pair[1]);
	if (parking->guardian < 0)
		err = -errno;
	sigprocmask(SIG_SETMASK, &before, NULL);
	close(pair[1]);
	parking->wire = pair[0];
	if (err)
		close(pair[0]);
	/* Switch nothing off before the guardian is ready to switch it on again. */
	if (!err && read(parking->wire, &byte, 1) != 1)
		err = -ECHILD;
	return err;
}

static void dismiss(struct parking *parking)
{
	int status = 0;
	ssize_t len;
	char byte;

	if (parking->guardian <= 0)
		return;
	/* Wait for its end, or for the byte that says it waits for others. */
	shutdown(parking->wire, SHUT_WR);
	do {
		len = read(parking->wire, &byte, 1);
	} while (len < 0 && errno == EINTR);
	close(parking->wire);
	if (len != 1) {
		while (waitpid(parking->guardian, &status, 0) < 0 && errno == EINTR)
			;
		/* The guardian was killed: try to do its work here. */
		if (WIFSIGNALED(status))
			put_back(parking->places, parking->lock, LOCK_NB);
	}
	parking->guardian = 0;
}

/*
 * Switch the watchdog off until parking_leave() or the end of this process. Return 1
 * if it was switched off, 0 if it was off already, or -errno.
 */
int parking_park(struct parking *parking)
{
	int on = parking_watchdog(parking->places);
	int err;

	if (on <= 0 || parking->guardian)
		return on == -ENOENT ? 0 : on;
	/* Check permission first: without it, no guardian is needed. */
	if (faccessat(AT_FDCWD, parking->places->watchdog, W_OK, AT_EACCESS))
		return -errno;
	err = fork_guardian(parking);
	if (!err)
		err = switch_watchdog(parking->places, false);
	if (!err)
		return 1;
	dismiss(parking);
	return err;
}

/*
 * Stop being a user of counters. The caller must have released all of its counters.
 * Return when the watchdog is restored, or at once if other processes use counters:
 * the guardian then waits for them. Without parking_join(), @parking is all zero.
 */
void parking_leave(struct parking *parking)
{
	if (!parking->places)
		return;
	if (parking->lock >= 0)
		lock(parking->lock, LOCK_UN);
	dismiss(parking);
	if (parking->lock >= 0)
		close(parking->lock);
	*parking = (struct parking){ .lock = -1, .wire = -1 };
}
