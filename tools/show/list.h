/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - what `list` shows, and the ways to show it
 */
#ifndef TPROF_LIST_H
#define TPROF_LIST_H

#include "events/catalog.h"
#include "events/event_name.h"
#include "live/device.h"

/* Room for the properties of a back end. */
#define LIST_FLAGS_LEN	64

/**
 * struct list - what is to be shown
 * @globs:	patterns, of which an event must fit one
 * @nr_globs:	how many; with none everything fits
 * @matches:	events shown so far
 */
struct list {
	char	**globs;
	int	nr_globs;
	u64	matches;
};

/**
 * struct list_view - a way to show events
 * @begin:	first of all
 * @backend:	a back end
 * @name:	an event that every processor has
 * @model:	the events of this model follow
 * @event:	one of them, with those unit masks that list_next_umask() tells
 * @end:	last of all
 */
struct list_view {
	void	(*begin)(void);
	void	(*backend)(const struct tprof_lx_backend *backend, const char *alias);
	void	(*name)(const struct event_name *name);
	void	(*model)(const struct catalog_model *model);
	void	(*event)(const struct list *list, const struct catalog_model *model,
			 const struct catalog_event *event);
	void	(*end)(void);
};

extern const struct list_view list_text_view;
extern const struct list_view list_json_view;
extern const struct list_view list_names_view;

bool list_fits(const struct list *list, const char *name, const char *umask);
bool list_next_umask(const struct list *list, const struct catalog_event *event, int *at,
		     struct catalog_umask *umask);
const char *list_flag_at(u32 flags, size_t *i);

#endif /* TPROF_LIST_H */
