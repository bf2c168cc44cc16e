// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - watching for the end of the command or of the processes of -p
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "live/targets.h"
#include "live/watch.h"
#include "unit.h"

static pid_t fork_sleeper(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		alarm(60);
		for (;;)
			pause();
	}
	return pid;
}

static bool has_ended(const struct watch *watch)
{
	struct pollfd pfd = { .fd = watch->fd, .events = POLLIN };

	return poll(&pfd, 1, 0) == 1;
}

static void test_targets(void)
{
	struct pid_list targets = { .pids = { fork_sleeper(), fork_sleeper() }, .nr = 2 };
	pid_t first = targets.pids[0], second = targets.pids[1];
	struct child none = { 0 };
	struct watch watch;

	unit_ok(!watch_begin(&watch, &none, &targets) && !has_ended(&watch),
		"a process that runs is watched");
	kill(first, SIGKILL);
	waitid(P_PID, first, NULL, WEXITED | WNOWAIT);
	unit_ok(has_ended(&watch), "the end of the process is seen");
	unit_ok(!watch_next(&watch) && !has_ended(&watch) && targets.nr == 1,
		"then the next process is watched, although the first is a zombie");
	kill(second, SIGKILL);
	waitid(P_PID, second, NULL, WEXITED | WNOWAIT);
	unit_ok(has_ended(&watch) && watch_next(&watch) == -ESRCH,
		"after the last process, none is left");
	watch_end(&watch);
	waitpid(first, NULL, 0);
	waitpid(second, NULL, 0);
	unit_ok(!watch_begin(&watch, &none, &targets) && watch.fd == -1,
		"without a command and processes, nothing is watched");
	unit_ok(!watch_begin(&watch, &none, NULL) && watch.fd == -1,
		"without a list, nothing is watched");
}

static void test_command(void)
{
	char *argv[] = { "true", NULL };
	struct identity same = { 0 };
	struct pid_list targets = { .pids = { getpid() }, .nr = 1 };
	struct child child;
	struct watch watch;

	child_prepare(&child, argv, &same);
	unit_ok(!watch_begin(&watch, &child, &targets) && watch.fd == child.pidfd,
		"a command is watched rather than the processes of -p");
	unit_ok(watch_next(&watch) == -ESRCH, "after the command, none is left");
	watch_end(&watch);
	unit_ok(fcntl(child.pidfd, F_GETFD) >= 0, "the pidfd of the command is left open");
	child_release(&child);
	child_wait(&child);
}

static void test_drop_ended(void)
{
	pid_t pid = fork_sleeper();
	struct pid_list targets = { .pids = { pid, getpid() }, .nr = 2 };

	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	targets_drop_ended(&targets);
	unit_ok(targets.nr == 1 && targets.pids[0] == getpid(),
		"a process that has ended is dropped");
}

int main(void)
{
	test_targets();
	test_command();
	test_drop_ended();
	return unit_exit();
}
