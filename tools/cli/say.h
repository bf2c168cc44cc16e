/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - how commands speak to people
 *
 * Everything here goes to stderr; stdout belongs to the output of a command.
 * Library files call none of it.
 */
#ifndef TPROF_SAY_H
#define TPROF_SAY_H

#include "base/types.h"

/* What tprof-lx ends with, unless a recorded command's status is handed on. */
enum exit_status {
	STATUS_OK	= 0,
	STATUS_FAILED	= 1,
	STATUS_USAGE	= 2,
};

extern int verbosity;

int say_error(const char *format, ...) __printf(1, 2);
int say_failure(int err, const char *what);
int say_usage(const char *format, ...) __printf(1, 2);
void say_note(const char *format, ...) __printf(1, 2);
void say_detail(const char *format, ...) __printf(1, 2);
int say_missing_command(const char *command);
int finish_output(int status);

#endif /* TPROF_SAY_H */
