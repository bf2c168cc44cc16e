/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - parse events as typed by the user
 *
 * An event is NAME[:MODIFIERS] or NAME/TERM,.../[MODIFIERS], such as cycles:u, nmi,
 * r01c2, INST_RETIRED:ANY_P:u or cpu/event=0xc2,umask=1,period=250000/k.
 *
 * event_parse.c splits the text. event_name.c parses the name, event_terms.c the terms
 * between the slashes and event_modifiers.c the modifiers.
 */
#ifndef TPROF_EVENT_PARSE_H
#define TPROF_EVENT_PARSE_H

#include "base/message.h"
#include "events/event_spec.h"

int event_parse(const char *text, struct event_spec *spec, struct message *msg);
int event_parse_list(const char *text, struct event_spec *specs, u32 room, u32 *nr,
		     struct message *msg);

#endif /* TPROF_EVENT_PARSE_H */
