// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - how commands speak to people
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli/say.h"
#include "live/child.h"

/* -1: errors only (-q), 0: what happened, 1: details as well (-v). */
int verbosity;

static void say(const char *format, va_list args)
{
	fputs("tprof-lx: ", stderr);
	vfprintf(stderr, format, args);
	putc('\n', stderr);
}

/*
 * Say why a command fails.
 *
 * @format: one sentence, without the full stop
 *
 * Return STATUS_FAILED, to be returned by the command.
 */
int say_error(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(format, args);
	va_end(args);
	return STATUS_FAILED;
}

/*
 * Say what failed, and why.
 *
 * @what: file, or what could not be done
 *
 * Return STATUS_FAILED, to be returned by the command.
 */
int say_failure(int err, const char *what)
{
	return say_error("%s: %s", what, strerror(-err));
}

/*
 * Say what is wrong with the command line.
 *
 * @format: one sentence, without the full stop
 *
 * Return STATUS_USAGE, to be returned by the command.
 */
int say_usage(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(format, args);
	va_end(args);
	return STATUS_USAGE;
}

/* Say what happened, unless silence was asked for. */
void say_note(const char *format, ...)
{
	va_list args;

	if (verbosity < 0)
		return;
	va_start(args, format);
	say(format, args);
	va_end(args);
}

/* Say what only a closer look needs. */
void say_detail(const char *format, ...)
{
	va_list args;

	if (verbosity < 1)
		return;
	va_start(args, format);
	say(format, args);
	va_end(args);
}

/*
 * Say why a command cannot be run, if it cannot.
 *
 * @command: its name, or NULL where there is none
 *
 * Return STATUS_OK, or what a shell would end with.
 */
int say_missing_command(const char *command)
{
	int err = command ? child_find(command) : 0;

	if (!err)
		return STATUS_OK;
	say_error("cannot run '%s': %s", command, strerror(-err));
	return child_status(err);
}

/*
 * Did everything reach stdout? A reader that had enough and closed the pipe is no
 * failure.
 *
 * @status: what the command would end with
 *
 * Return @status, or STATUS_FAILED when output was lost.
 */
int finish_output(int status)
{
	bool failed = fflush(stdout) != 0;

	if ((failed || ferror(stdout)) && errno != EPIPE)
		return say_error("cannot write the output: %s", strerror(errno));
	return status;
}
