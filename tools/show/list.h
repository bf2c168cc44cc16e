/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx list - patterns and output formats
 */
#ifndef TPROF_LIST_H
#define TPROF_LIST_H

#include "events/catalog.h"
#include "events/event_name.h"
#include "live/device.h"

/* Buffer size for the flags of a back end as text. */
#define LIST_FLAGS_LEN	96

/* Flags that are named like the parts of an event that they allow. */
#define LIST_PARTS	(TPROF_LX_BACKEND_THRESHOLD | TPROF_LX_BACKEND_INVERT | \
			 TPROF_LX_BACKEND_EQUAL | TPROF_LX_BACKEND_EDGE)

/**
 * struct list - which events to show
 * @globs:	patterns; an event must match one of them
 * @nr_globs:	number of @globs; if 0, every event matches
 * @matches:	number of events shown so far
 */
struct list {
	char	**globs;
	int	nr_globs;
	u64	matches;
};

/**
 * struct list_view - an output format
 * @begin:	called first
 * @backend:	show a back end
 * @name:	show a generic event; @is_counted_only: it cannot take samples
 * @model:	called before the events of a CPU model
 * @event:	show an event of @model, with the unit masks from list_next_umask()
 * @end:	called last
 */
struct list_view {
	void	(*begin)(void);
	void	(*backend)(const struct tprof_lx_backend *backend, const char *alias);
	void	(*name)(const struct event_name *name, bool is_counted_only);
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
