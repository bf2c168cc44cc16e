/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx annotate - choose the functions to print
 */
#ifndef TPROF_CHOICE_H
#define TPROF_CHOICE_H

#include "annotate/annotate_options.h"

/**
 * struct choice - the functions to print, hottest first
 * @list:	the functions
 * @nr:		length of @list
 * @nr_left_out: number of functions below --percent-limit
 */
struct choice {
	struct hot_function **list;
	size_t	nr;
	size_t	nr_left_out;
};

int choice_make(struct choice *choice, const struct annotate_options *opts,
		const struct hot_functions *all);
void choice_free(struct choice *choice);

#endif /* TPROF_CHOICE_H */
