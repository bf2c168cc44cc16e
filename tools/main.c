// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - find the command named on the command line and run it
 */
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "base/thread.h"
#include "cli/command.h"
#include "cli/say.h"
#include "cli/streams.h"

static int print_help(void)
{
	const struct command *const *command;

	printf("tprof-lx - a sampling profiler that needs no PMU\n\n"
	       "usage: tprof-lx <command> [options]\n\ncommands:\n");
	for (command = commands; *command; command++)
		printf("  %-10s %s\n", (*command)->name, (*command)->summary);
	printf("\n  tprof-lx <command> --help describes a command.\n"
	       "  tprof-lx --version prints the version.\n");
	return STATUS_OK;
}

static int print_version(void)
{
	printf("tprof-lx %s\n", TPROF_LX_VERSION);
	return STATUS_OK;
}

static const struct command *find_command(const char *name)
{
	const struct command *const *command = commands;

	while (*command && strcmp((*command)->name, name))
		command++;
	return *command;
}

static int unknown_command(const char *name)
{
	struct suggestion search = { .word = name };
	const struct command *const *command;
	const char *best;

	for (command = commands; *command; command++)
		suggest_try(&search, (*command)->name);
	best = suggest_best(&search);
	if (best)
		return say_usage("there is no command '%s'; did you mean '%s'?", name, best);
	return say_usage("there is no command '%s'; see tprof-lx --help", name);
}

static bool is_one_of(const char *word, const char *a, const char *b, const char *c)
{
	return !strcmp(word, a) || !strcmp(word, b) || !strcmp(word, c);
}

/* `help COMMAND` is the same as `COMMAND --help`. */
static int help_command(int argc, char **argv)
{
	const struct command *command;

	if (argc < 2)
		return print_help();
	command = find_command(argv[1]);
	if (!command)
		return unknown_command(argv[1]);
	argv[0] = argv[1];
	argv[1] = (char *)"--help";
	return command->run(command, 2, argv);
}

static int run_command(int argc, char **argv)
{
	const struct command *command;

	if (argc < 2)
		return say_usage("no command given; see tprof-lx --help");
	if (is_one_of(argv[1], "--help", "-h", "help"))
		return help_command(argc - 1, argv + 1);
	if (is_one_of(argv[1], "--version", "-V", "version"))
		return print_version();
	command = find_command(argv[1]);
	if (!command)
		return unknown_command(argv[1]);
	return command->run(command, argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
	if (streams_open())
		return STATUS_FAILED;
	thread_exit_process(finish_output(run_command(argc, argv)));
}
