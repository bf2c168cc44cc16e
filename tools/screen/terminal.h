/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the terminal while it shows a screen
 *
 * However the process ends, the terminal gets back its modes: at exit(3), by a signal that
 * ends or stops the process, and after a crash. Signals are blocked except while the
 * process waits for a key, or in terminal_work(). So no signal arrives while ncurses
 * writes, and the handler may write to the terminal itself.
 */
#ifndef TPROF_TERMINAL_H
#define TPROF_TERMINAL_H

#include <poll.h>

#include "base/types.h"

/* What ended terminal_wait(). */
enum terminal_event {
	TERMINAL_INPUT,		/* a key, or one of the other files is ready */
	TERMINAL_TIMEOUT,
	TERMINAL_RESIZED,
	TERMINAL_CONTINUED,	/* the process was stopped, and continues */
	TERMINAL_GONE,		/* no key will ever come */
};

bool terminal_is_there(void);
int terminal_begin(void);
enum terminal_event terminal_wait(struct pollfd *others, nfds_t nr, int timeout_ms);
void terminal_work(bool begins);
void terminal_write(const char *text, size_t len);
void terminal_end(void);

#endif /* TPROF_TERMINAL_H */
