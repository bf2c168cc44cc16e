// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx list - match events with patterns, for all formats
 */
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "show/list.h"

static const struct {
	u32 flag;
	const char *name;
} flags[] = {
	{ TPROF_LX_BACKEND_NMI, "nmi" },
	{ TPROF_LX_BACKEND_CLOCK, "clock" },
	{ TPROF_LX_BACKEND_COUNTER, "counter" },
	{ TPROF_LX_BACKEND_COUNTS, "counts" },
	{ TPROF_LX_BACKEND_THRESHOLD, "cmask" },
	{ TPROF_LX_BACKEND_INVERT, "inv" },
	{ TPROF_LX_BACKEND_EQUAL, "eq" },
	{ TPROF_LX_BACKEND_EDGE, "edge" },
	{ TPROF_LX_BACKEND_DEGRADED, "degraded" },
};

/*
 * Return the name of the next flag in @value, a mask of TPROF_LX_BACKEND_*, or NULL
 * after the last. @i is the position, which the caller sets to 0 before the first
 * call.
 */
const char *list_flag_at(u32 value, size_t *i)
{
	while (*i < ARRAY_SIZE(flags)) {
		if (value & flags[(*i)++].flag)
			return flags[*i - 1].name;
	}
	return NULL;
}

static bool fits_one(const char *glob, const char *name)
{
	char inside[EVENT_NAME_LEN];

	if (!strpbrk(glob, "*?[")) {
		snprintf(inside, sizeof(inside), "*%s*", glob);
		glob = inside;
	}
	return !fnmatch(glob, name, FNM_CASEFOLD);
}

/*
 * Return true if a pattern matches @name, or @name:@umask if @umask is not NULL.
 * Without patterns, return true.
 */
bool list_fits(const struct list *list, const char *name, const char *umask)
{
	char full[EVENT_NAME_LEN];
	int i;

	snprintf(full, sizeof(full), "%s%s%s", name, umask ? ":" : "", umask ? umask : "");
	for (i = 0; i < list->nr_globs; i++) {
		if (fits_one(list->globs[i], full))
			return true;
	}
	return !list->nr_globs;
}

/*
 * Get the next matching unit mask of an event, or return false after the last. If
 * the event's name matches, every unit mask does. @at is the position, which the
 * caller sets to -1 before the first call.
 */
bool list_next_umask(const struct list *list, const struct catalog_event *event, int *at,
		     struct catalog_umask *umask)
{
	bool all = list_fits(list, event->name, NULL);

	while (catalog_next_umask(event, at, umask)) {
		if (all || list_fits(list, event->name, umask->name))
			return true;
	}
	return false;
}
