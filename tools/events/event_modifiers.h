/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the modifiers of events, such as u for user space
 */
#ifndef TPROF_EVENT_MODIFIERS_H
#define TPROF_EVENT_MODIFIERS_H

#include "base/message.h"
#include "events/event_spec.h"

bool event_has_modifiers_only(const char *text);
int event_modifiers(const char *text, struct event_spec *spec, struct message *msg);

#endif /* TPROF_EVENT_MODIFIERS_H */
