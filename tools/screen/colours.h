/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the colours of percentages on a screen
 */
#ifndef TPROF_COLOURS_H
#define TPROF_COLOURS_H

void colours_begin(void);
unsigned long colour_of(double heat);

#endif /* TPROF_COLOURS_H */
