/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - escape untrusted names for a terminal
 *
 * Users choose the names of their tasks, files and functions. Control characters and
 * line ends in such names are shown as hexadecimal numbers.
 */
#ifndef TPROF_PRINTABLE_H
#define TPROF_PRINTABLE_H

#include "base/types.h"

const char *printable(const char *text);
size_t utf8_length(const unsigned char *s);

#endif /* TPROF_PRINTABLE_H */
