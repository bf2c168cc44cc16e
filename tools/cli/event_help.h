/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - how events are written, for the help of commands that take them
 */
#ifndef TPROF_EVENT_HELP_H
#define TPROF_EVENT_HELP_H

void event_help(void);

#endif /* TPROF_EVENT_HELP_H */
