/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx html - what a page shows first
 */
#ifndef TPROF_HTML_FIRST_VIEW_H
#define TPROF_HTML_FIRST_VIEW_H

#include "base/json.h"
#include "export/frames.h"
#include "export/names.h"
#include "html/points.h"

/**
 * struct first_view - what a page shows first, unless its URL has a state; all members may be NULL
 * or zero
 * @function:	--function: the name of the function that the picture is around
 * @search:	--search: a regular expression, for the script of the page
 * @part:	--part: the part of the time, as the user typed it
 * @from:	begin of the part in ns
 * @to:		end of the part in ns, 0 for the end of the recording
 */
struct first_view {
	const char *function;
	const char *search;
	const char *part;
	u64	from;
	u64	to;
};

int first_view_check(const struct first_view *view, const struct function **functions, size_t nr,
		     const struct points *points);
int first_view_write(const struct first_view *view, const struct points *points,
		     struct interned *names, struct json *json);

#endif /* TPROF_HTML_FIRST_VIEW_H */
