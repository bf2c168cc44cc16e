/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - names that anyone chose, for a terminal
 *
 * Tasks, files and functions are called what their owners like. What a terminal
 * would obey, and what ends a line, is shown as the number that it is.
 */
#ifndef TPROF_PRINTABLE_H
#define TPROF_PRINTABLE_H

#include "base/types.h"

const char *printable(const char *text);
size_t utf8_length(const unsigned char *s);

#endif /* TPROF_PRINTABLE_H */
