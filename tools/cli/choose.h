/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - options that take a list of words from a table
 */
#ifndef TPROF_CHOOSE_H
#define TPROF_CHOOSE_H

#include "base/types.h"

/**
 * struct chooser - words that stand for rows of a table
 * @command:	command that has the option
 * @option:	the option
 * @what:	what a row stands for, in messages
 * @name:	returns the name of row @i, NULL behind the last
 * @choose:	takes a row; fails if there are too many
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
