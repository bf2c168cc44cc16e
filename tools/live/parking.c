// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - park the NMI watchdog, and restore it however tprof-lx ends
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

	/* If the module is unloaded or denies access, assume the counters are free. */
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

/*
 * Return 1 if the watchdog is on; 0 if it is off; -ENOENT if the kernel has none; else
 * another -errno.
 */
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
 * Register this process as a user of counters. Call this before adding the first event.
 * The call waits while a guardian switches the watchdog on. A process without access to
 * the lock goes on without the lock: guardians also check the module's INFO for users of
 * counters.
 */
void parking_join(struct parking *parking, const struct parking_places *places)
{
	*parking = (struct parking){ .places = places, .lock = open_lock(places), .wire = -1 };
	if (parking->lock >= 0)
		lock(parking->lock, LOCK_SH);
}

/*
 * Switch the watchdog on if no counter is in use. Hold the lock during the check and
 * the switch, so that no other process takes a counter. If the lock cannot be opened,
 * go on without it. Return false if the caller should retry.
 */
static bool put_back(const struct parking_places *places, int lock_fd, int how)
{
	bool done = false;

	if (lock_fd >= 0 && lock(lock_fd, LOCK_EX | how))
		return false;
	/*
	 * Retry if the write succeeded but left the watchdog off. Do not retry a
	 * failed write.
	 */
	if (places->are_free())
		done = switch_watchdog(places, true) || parking_watchdog(places) != 0;
	if (lock_fd >= 0)
		lock(lock_fd, LOCK_UN);
	return done;
}

/*
 * In the guardian: wait until @wire closes, then restore the watchdog. Do not
 * return.
 */
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
	/* Other processes use the counters. Do not let dismiss() wait for them. */
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
	/* Do not switch the watchdog off before the guardian is ready to restore it. */
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
	/*
	 * Wait until the guardian ends, or reports that other processes use the
	 * counters.
	 */
	shutdown(parking->wire, SHUT_WR);
	do {
		len = read(parking->wire, &byte, 1);
	} while (len < 0 && errno == EINTR);
	close(parking->wire);
	if (len != 1) {
		while (waitpid(parking->guardian, &status, 0) < 0 && errno == EINTR)
			;
		/* If the guardian was killed, try to restore the watchdog here. */
		if (WIFSIGNALED(status))
			put_back(parking->places, parking->lock, LOCK_NB);
	}
	parking->guardian = 0;
}

/*
 * Switch the watchdog off until parking_leave() or until this process ends. Return 1 if
 * the watchdog was on; 0 if it was off or does not exist; else -errno.
 */
int parking_park(struct parking *parking)
{
	int on = parking_watchdog(parking->places);
	int err;

	if (on <= 0 || parking->guardian)
		return on == -ENOENT ? 0 : on;
	/* Check for write permission first: without it, do not fork a guardian. */
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
 * Undo parking_join() and parking_park(). The caller must have released its counters.
 * Wait until the guardian has restored the watchdog. If other processes use counters,
 * do not wait: the guardian restores the watchdog when they have ended. If @parking is
 * all zero, do nothing.
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
