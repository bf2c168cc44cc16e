// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - sessions of a user without privileges, for random calls
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <unistd.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "harness/common.h"
#include "harness/nobody.h"
#include "fuzz/user.h"

#define PARAMETER	"/sys/module/tprof_lx/parameters/access"
#define LIFE_USECS	20000

unsigned long user_nr_started;

/*
 * Open a session as a user without privileges. The ids of this thread alone change, and
 * only until the return: the C library would change those of all threads.
 */
int user_open(int flags)
{
	int fd = -EPERM;

	file_write(PARAMETER, "1");
	chmod(DEVICE, 0666);
	if (syscall(SYS_setresgid, NOBODY, NOBODY, 0))
		return -errno;
	if (!syscall(SYS_setresuid, NOBODY, NOBODY, 0))
		fd = session_open(flags);
	if (syscall(SYS_setresuid, 0, 0, 0) || syscall(SYS_setresgid, 0, 0, 0))
		_exit(1);
	return fd;
}

/* Run as the user, so that the user may observe this process, until it is killed. */
static void live(struct dice *dice, int ready)
{
	char byte = 0;

	if (become_user(NOBODY, -1) || prctl(PR_SET_DUMPABLE, 1) ||
	    write(ready, &byte, 1) != 1)
		_exit(1);
	usleep(dice_roll(dice, LIFE_USECS));
	switch (dice_roll(dice, 4)) {
	case 0:
		execl("/bin/true", "true", NULL);
		break;
	case 1:
		prctl(PR_SET_DUMPABLE, 0);
		break;
	case 2:
		if (fork() >= 0)
			fork();
		break;
	}
	usleep(LIFE_USECS);
	_exit(0);
}

static pid_t start_process(struct dice *dice)
{
	int ready[2];
	char byte;
	pid_t pid;

	if (pipe(ready))
		return -errno;
	pid = fork();
	if (!pid)
		live(dice, ready[1]);
	close(ready[1]);
	if (pid > 0 && read(ready[0], &byte, 1) != 1)
		kill(pid, SIGKILL);
	close(ready[0]);
	return pid < 0 ? -errno : pid;
}

static void end_process(pid_t pid, struct dice *dice)
{
	usleep(dice_roll(dice, LIFE_USECS));
	kill(pid, SIGKILL);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

/* Let a session of user_open() observe a process of the user that changes and ends. */
int user_session(struct dice *dice, int fd)
{
	struct perf_event_attr attr;
	struct tprof_lx_event event;
	pid_t pid = start_process(dice);
	int err;

	if (pid < 0)
		return pid;
	attr_count(&attr, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS);
	attr.exclude_kernel = 1;
	err = event_add_with(fd, "soft", &attr, TPROF_LX_EVENT_PROCESS, &event);
	err = err ?: session_attach(fd, pid, dice_roll(dice, 3));
	err = err ?: session_start(fd, ALL_EVENTS);
	if (!err)
		__atomic_fetch_add(&user_nr_started, 1, __ATOMIC_RELAXED);
	end_process(pid, dice);
	return err;
}
