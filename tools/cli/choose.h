/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - options whose value is a list of words that a table knows
 */
#ifndef TPROF_CHOOSE_H
#define TPROF_CHOOSE_H

#include "base/types.h"

/**
 * struct chooser - words that stand for rows of a table
 * @command:	whose option it is
 * @option:	the option
 * @what:	what a row is
 * @name:	name of row 0, 1, ..., NULL behind the last
 * @choose:	take a row; an error means that there are too many
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
