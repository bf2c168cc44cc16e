/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - escape untrusted names for a terminal
 *
 * Any user can give a task, file or function a name with control characters, which a
 * terminal would obey. These characters are printed as hexadecimal numbers.
 */
#ifndef TPROF_PRINTABLE_H
#define TPROF_PRINTABLE_H

#include "base/types.h"

const char *printable(const char *text);
size_t utf8_length(const unsigned char *s);

#endif /* TPROF_PRINTABLE_H */
