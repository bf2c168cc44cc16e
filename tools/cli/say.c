// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - messages of the commands
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/printable.h"
#include "cli/say.h"
#include "live/child.h"

/* -1 (-q): print only errors; 0: also notes; 1 (-v): also notes and details. */
int verbosity;

static void say(const char *format, va_list args)
{
	fputs("tprof-lx: ", stderr);
	vfprintf(stderr, format, args);
	putc('\n', stderr);
}

/*
 * Print an error: one sentence without the full stop. Return STATUS_FAILED, so that the
 * command can return it in the same statement.
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
 * Print that @what failed with @err. @what is a file or an action. Return
 * STATUS_FAILED.
 */
int say_failure(int err, const char *what)
{
	return say_error("%s: %s", printable(what), strerror(-err));
}

/*
 * Print what is wrong with the command line: one sentence without the full stop.
 * Return STATUS_USAGE.
 */
int say_usage(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(format, args);
	va_end(args);
	return STATUS_USAGE;
}

/* Print a note, unless -q was given. */
void say_note(const char *format, ...)
{
	va_list args;

	if (verbosity < 0)
		return;
	va_start(args, format);
	say(format, args);
	va_end(args);
}

/* Print a detail if -v was given. */
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
 * Check that @command can be run. NULL, which stands for no command, always passes. Return
 * STATUS_OK, or print a message and return the exit status that a shell would return.
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
 * Check that @program, which @option names, can be run. NULL always passes. Return STATUS_OK, or
 * print a message and return STATUS_FAILED.
 */
int say_missing_program(const char *option, const char *program)
{
	int err = program ? child_find(program) : 0;

	return err ? say_error("%s %s: %s; give another program", option, printable(program),
			       strerror(-err)) : STATUS_OK;
}
