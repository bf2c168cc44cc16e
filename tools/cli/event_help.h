/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the help text about event names
 */
#ifndef TPROF_EVENT_HELP_H
#define TPROF_EVENT_HELP_H

void event_help(void);

#endif /* TPROF_EVENT_HELP_H */
