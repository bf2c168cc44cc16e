/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - events as people write them
 *
 * NAME[:MODIFIERS] or NAME/TERM,.../[MODIFIERS], as in cycles:u, r01c2,
 * cpu/event=0xc2,umask=1,period=250000/k, INST_RETIRED:ANY_P:u or nmi.
 *
 * event_name.c knows the names, event_terms.c what may stand between slashes,
 * event_modifiers.c the modifiers, and this file how a text falls into these.
 */
#ifndef TPROF_EVENT_PARSE_H
#define TPROF_EVENT_PARSE_H

#include "base/message.h"
#include "events/event_spec.h"

int event_parse(const char *text, struct event_spec *spec, struct message *msg);
int event_parse_list(const char *text, struct event_spec *specs, u32 room, u32 *nr,
		     struct message *msg);

#endif /* TPROF_EVENT_PARSE_H */
