// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx list - print names only, one per line, for completions and scripts
 */
#include <stdio.h>

#include "show/list.h"

static void show_nothing(void)
{
}

static void show_two(const char *name, const char *alias)
{
	puts(name);
	if (alias)
		puts(alias);
}

/*
 * Print a back end only if its name is also the name of an event. A back end of
 * hardware counters is no event: its events have other names.
 */
static void show_backend(const struct tprof_lx_backend *backend, const char *alias)
{
	if (event_name_find(backend->name))
		show_two(backend->name, alias);
}

static void show_name(const struct event_name *name, bool is_counted_only)
{
	(void)is_counted_only;
	show_two(name->name, name->alias);
}

static void show_model(const struct catalog_model *model)
{
	(void)model;
}

static void show_event(const struct list *list, const struct catalog_model *model,
		       const struct catalog_event *event)
{
	(void)list;
	(void)model;
	puts(event->name);
}

const struct list_view list_names_view = {
	.begin = show_nothing,
	.backend = show_backend,
	.name = show_name,
	.model = show_model,
	.event = show_event,
	.end = show_nothing,
};
