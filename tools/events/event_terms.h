/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - parse the terms of an event, which are between its slashes
 */
#ifndef TPROF_EVENT_TERMS_H
#define TPROF_EVENT_TERMS_H

#include "base/message.h"
#include "events/event_spec.h"

int event_terms(char *text, bool may_select, struct event_spec *spec, struct message *msg);

#endif /* TPROF_EVENT_TERMS_H */
