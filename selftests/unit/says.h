/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx unit tests - run a command, and look for a text in its messages
 */
#ifndef TPROF_UNIT_SAYS_H
#define TPROF_UNIT_SAYS_H

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/say.h"

/* Run a command with stderr captured. Return true if it exits with @status and says @text. */
static inline bool says(const struct command *command, int status, const char *text, char **argv,
			int argc)
{
	int fd = memfd_create("said", MFD_CLOEXEC), old = dup(STDERR_FILENO);
	char said[512] = "";
	bool is_said;

	dup2(fd, STDERR_FILENO);
	verbosity = 0;
	is_said = command->run(command, argc, argv) == status;
	verbosity = -1;
	dup2(old, STDERR_FILENO);
	close(old);
	is_said &= pread(fd, said, sizeof(said) - 1, 0) > 0 && strstr(said, text);
	close(fd);
	if (!is_said)
		printf("# %s\n", said);
	return is_said;
}

#endif /* TPROF_UNIT_SAYS_H */
