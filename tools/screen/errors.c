// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - what libraries and other programs write to stderr while a screen is shown
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "screen/errors.h"

/* The terminal that stderr was, and the file that stderr is now; -1 if it is not captured. */
static int terminal = -1, held = -1;

/* Hold back stderr, if it is a terminal. If that fails, it is drawn over the screen. */
void errors_capture(void)
{
	if (!isatty(STDERR_FILENO))
		return;
	fflush(stderr);
	held = memfd_create("stderr", MFD_CLOEXEC);
	if (held < 0)
		return;
	terminal = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
	if (terminal >= 0)
		dup2(held, STDERR_FILENO);
}

/* Write what was held back. A signal handler may call it. */
void errors_release(void)
{
	char buf[4096];
	ssize_t len;

	if (terminal >= 0) {
		dup2(terminal, STDERR_FILENO);
		close(terminal);
	}
	lseek(held, 0, SEEK_SET);
	while (held >= 0 && (len = read(held, buf, sizeof(buf))) > 0) {
		if (write(STDERR_FILENO, buf, len) < 0)
			break;
	}
	if (held >= 0)
		close(held);
	terminal = -1;
	held = -1;
}
