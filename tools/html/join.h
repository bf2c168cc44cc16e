/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx html - join the functions and stacks of several recordings
 */
#ifndef TPROF_HTML_JOIN_H
#define TPROF_HTML_JOIN_H

#include "html/page_data.h"

/**
 * struct join_names - names that are the same in all recordings
 * @binary:	returns the name of a binary
 * @function:	returns the name of a function that is called @name
 * @arg:	first argument of both
 */
struct join_names {
	const char *(*binary)(void *arg, u32 run, const struct object *object);
	const char *(*function)(void *arg, u32 run, const char *name);
	void	*arg;
};

int join_runs(struct page_data *data, const struct join_names *names);

#endif /* TPROF_HTML_JOIN_H */
