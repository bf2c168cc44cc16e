/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - find events by their names
 */
#ifndef TPROF_EVENT_NAME_H
#define TPROF_EVENT_NAME_H

#include "base/message.h"
#include "base/suggest.h"
#include "events/event_spec.h"

/* The back end of software events. */
#define EVENT_SOFT	"soft"

/**
 * struct event_name - a name that stands for the same event on every CPU model
 * @name:	the name
 * @alias:	second name, or NULL
 * @backend:	its back end's name; NULL for the back end of the hardware counters
 * @type:	value of attr.type; unused if the event is a clock
 * @config:	value of attr.config; unused if the event is a clock
 * @text:	what the event counts; NULL to show the text of its back end instead
 */
struct event_name {
	const char *name;
	const char *alias;
	const char *backend;
	u32	type;
	u64	config;
	const char *text;
};

const struct event_name *event_name_at(size_t i);
bool event_name_is_pmu(const char *name);
const struct event_name *event_name_find(const char *name);
int event_name_resolve(char *text, struct event_spec *spec, const char **modifiers,
		       struct message *msg);
int event_name_unknown(const char *name, const struct suggestion *backends, struct message *msg);

#endif /* TPROF_EVENT_NAME_H */
