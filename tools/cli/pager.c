// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - a pager between a command and the terminal
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "live/child.h"
#include "cli/pager.h"

static void run(const char *command, int from)
{
	dup2(from, STDIN_FILENO);
	/*
	 * Use the same options as git: quit if the output fits on one screen, show
	 * colours, and do not clear the screen.
	 */
	setenv("LESS", "FRX", 0);
	execl("/bin/sh", "sh", "-c", command, NULL);
	_exit(STATUS_NOT_FOUND);
}

/* Columns of the terminal that stdout was before the pager, or 0. */
static u32 columns;

/*
 * Return the number of columns of the terminal that shows stdout, by a pager or not; 0 if it is no
 * terminal or has no size.
 */
u32 output_columns(void)
{
	struct winsize size;

	if (columns || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size))
		return columns;
	return size.ws_col;
}

/*
 * If stdout is a terminal, start a pager and redirect stdout to it. The pager is $PAGER
 * or, if that is unset, less(1). Start none if $PAGER is empty or "cat", or if $PAGER
 * is unset and less(1) is missing. Return the pid of the pager, or 0.
 */
pid_t pager_start(void)
{
	const char *command = getenv("PAGER");
	int fds[2];
	pid_t pid;

	if (!command)
		command = child_find("less") ? "cat" : "less";
	if (!isatty(STDOUT_FILENO) || !*command || !strcmp(command, "cat"))
		return 0;
	if (pipe2(fds, O_CLOEXEC))
		return 0;
	pid = fork();
	if (!pid)
		run(command, fds[0]);
	close(fds[0]);
	if (pid > 0) {
		columns = output_columns();
		/* When the user quits the pager, discard the rest of the output. */
		signal(SIGPIPE, SIG_IGN);
		/* Keys such as Ctrl-C are for the pager: ignore their signals. */
		signal(SIGINT, SIG_IGN);
		signal(SIGQUIT, SIG_IGN);
		dup2(fds[1], STDOUT_FILENO);
	}
	close(fds[1]);
	return pid > 0 ? pid : 0;
}

/* Wait until the pager exits. Return false if it could not be run. */
bool pager_wait(pid_t pager)
{
	int status;

	if (!pager)
		return true;
	/* What the pager did not read, because the user quit it, is not lost. */
	fflush(stdout);
	clearerr(stdout);
	close(STDOUT_FILENO);
	return waitpid(pager, &status, 0) != pager || !WIFEXITED(status) ||
	       (WEXITSTATUS(status) != STATUS_NOT_FOUND &&
		WEXITSTATUS(status) != STATUS_CANNOT_RUN);
}
