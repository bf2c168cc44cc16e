/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx html - join the functions and stacks of several recordings
 */
#ifndef TPROF_HTML_JOIN_H
#define TPROF_HTML_JOIN_H

#include "html/page_data.h"

/* Return the name of a binary that is the same in all recordings. */
typedef const char *(*join_namer)(void *arg, u32 run, const struct object *object);

int join_runs(struct page_data *data, join_namer namer, void *arg);

#endif /* TPROF_HTML_JOIN_H */
