/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - what libraries and other programs write to stderr while a screen is shown
 *
 * It would be drawn over the screen, so it waits until the screen ends.
 */
#ifndef TPROF_ERRORS_H
#define TPROF_ERRORS_H

void errors_capture(void);
void errors_release(void);

#endif /* TPROF_ERRORS_H */
