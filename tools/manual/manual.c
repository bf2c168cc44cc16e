// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - print a manual page, or completions for a shell
 *
 * usage: manual bash|zsh|fish
 *	  manual page DATE [COMMAND DIR]
 *
 * The build runs this program; it is not installed.
 */
#include <stdio.h>
#include <string.h>

#include "manual/manual.h"

static const struct {
	const char *shell;
	void (*complete)(void);
} shells[] = {
	{ "bash", complete_bash },
	{ "zsh", complete_zsh },
	{ "fish", complete_fish },
};

static int complete(const char *shell)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(shells); i++) {
		if (strcmp(shells[i].shell, shell))
			continue;
		shells[i].complete();
		return 0;
	}
	return 2;
}

static int page(const char *date, const char *name, const char *dir)
{
	const struct command *const *command = commands;

	while (*command && strcmp((*command)->name, name))
		command++;
	return *command ? page_of_command(*command, date, dir) : 2;
}

static int run(int argc, char **argv)
{
	if (argc == 2)
		return complete(argv[1]);
	if (argc == 3 && !strcmp(argv[1], "page")) {
		page_of_all(argv[2]);
		return 0;
	}
	if (argc == 5 && !strcmp(argv[1], "page"))
		return page(argv[2], argv[3], argv[4]);
	return 2;
}

int main(int argc, char **argv)
{
	int status = run(argc, argv);

	if (status)
		fprintf(stderr, "manual: cannot print this page or table; see manual.c\n");
	return fflush(stdout) || ferror(stdout) ? 1 : status;
}
