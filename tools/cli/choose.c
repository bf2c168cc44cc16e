// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - options whose value is a list of words from a table
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "cli/choose.h"
#include "cli/say.h"

static int find_row(const struct chooser *chooser, const char *word, struct suggestion *search)
{
	const char *name;
	size_t i;

	for (i = 0; (name = chooser->name(i)); i++) {
		if (!strcmp(name, word))
			return i;
		suggest_try(search, name);
	}
	return -ENOENT;
}

static int unknown_word(const struct chooser *chooser, const struct suggestion *search)
{
	const char *best = suggest_best(search);

	if (best)
		return say_usage("%s: %s: there is no %s '%s'; did you mean '%s'?",
				 chooser->command, chooser->option, chooser->what, search->word,
				 best);
	return say_usage("%s: %s: there is no %s '%s'; see tprof-lx %s --help",
			 chooser->command, chooser->option, chooser->what, search->word,
			 chooser->command);
}

/*
 * Call @chooser->choose for each word of @list, a comma-separated list. Return
 * STATUS_OK, or print a message and return STATUS_USAGE.
 */
int choose(const struct chooser *chooser, const char *list, void *arg)
{
	struct suggestion search;
	char copy[512], *rest;
	int row;

	if (strlen(list) >= sizeof(copy))
		return say_usage("%s: %s: the list is too long", chooser->command,
				 chooser->option);
	strcpy(copy, list);
	search = (struct suggestion){ .word = strtok_r(copy, ",", &rest) };
	if (!search.word)
		return say_usage("%s: %s: the list is empty", chooser->command, chooser->option);
	while (search.word) {
		row = find_row(chooser, search.word, &search);
		if (row < 0)
			return unknown_word(chooser, &search);
		if (chooser->choose(arg, row))
			return say_usage("%s: %s: the list is too long", chooser->command,
					 chooser->option);
		search = (struct suggestion){ .word = strtok_r(NULL, ",", &rest) };
	}
	return STATUS_OK;
}

/* Print all words of the table, for the help text. */
void print_choices(const struct chooser *chooser, const char *title)
{
	size_t column = 0, i, len;
	const char *name;

	printf("\n%s:", title);
	for (i = 0; (name = chooser->name(i)); i++) {
		len = strlen(name) + 1;
		column = column && column + len < 78 ? column + len : len;
		printf("%s%s", column == len ? "\n  " : " ", name);
	}
	putchar('\n');
}
