/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - print the messages of the commands
 *
 * Messages go to stderr, the output of a command to stdout. Library files print no
 * messages.
 */
#ifndef TPROF_SAY_H
#define TPROF_SAY_H

#include "base/types.h"

/* Exit status of tprof-lx, unless it exits with the status of the command that it ran. */
enum exit_status {
	STATUS_OK	= 0,
	STATUS_FAILED	= 1,
	STATUS_USAGE	= 2,
	STATUS_GREW	= 3,	/* diff --fail-above */
};

extern int verbosity;

int say_error(const char *format, ...) __printf(1, 2);
int say_failure(int err, const char *what);
int say_usage(const char *format, ...) __printf(1, 2);
void say_note(const char *format, ...) __printf(1, 2);
void say_detail(const char *format, ...) __printf(1, 2);
int say_missing_command(const char *command);
int say_missing_program(const char *option, const char *program);

#endif /* TPROF_SAY_H */
