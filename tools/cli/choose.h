/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - options whose value is a list of words from a table
 */
#ifndef TPROF_CHOOSE_H
#define TPROF_CHOOSE_H

#include "base/types.h"

/**
 * struct chooser - an option whose value is a list of words from a table
 * @command:	command that has the option
 * @option:	the option
 * @what:	noun that messages use for a word of the table, such as "field"
 * @name:	returns the word of row @i, or NULL after the last row
 * @choose:	adds row @i to @arg; fails if @arg has too many rows
 */
struct chooser {
	const char *command;
	const char *option;
	const char *what;
	const char *(*name)(size_t i);
	int (*choose)(void *arg, size_t i);
};

int choose(const struct chooser *chooser, const char *list, void *arg);
void print_choices(const struct chooser *chooser, const char *title);

#endif /* TPROF_CHOOSE_H */
