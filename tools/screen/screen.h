/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - show a browser on the terminal, by ncurses
 */
#ifndef TPROF_SCREEN_H
#define TPROF_SCREEN_H

#include <poll.h>

#include "view/browser.h"

/* screen_key() returns this if no key was typed: one of the files is ready, or time is up. */
#define SCREEN_NO_KEY	0

int screen_begin(struct browser *browser);
void screen_draw(struct browser *browser);
u32 screen_key(struct browser *browser, struct pollfd *others, nfds_t nr, int timeout_ms);
void screen_browse(struct browser *browser);
void screen_say(struct browser *browser, const char *text);
void screen_copy(const char *name);

#endif /* TPROF_SCREEN_H */
