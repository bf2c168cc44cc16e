/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - untrusted names, made safe for a terminal
 *
 * Any user chooses the names of its tasks, files and functions. Control characters
 * and ends of lines in them are shown as their numbers.
 */
#ifndef TPROF_PRINTABLE_H
#define TPROF_PRINTABLE_H

#include "base/types.h"

const char *printable(const char *text);
size_t utf8_length(const unsigned char *s);

#endif /* TPROF_PRINTABLE_H */
