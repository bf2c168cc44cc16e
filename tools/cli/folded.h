/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - print call paths, one per line, for flame graph tools
 */
#ifndef TPROF_FOLDED_H
#define TPROF_FOLDED_H

#include <stdio.h>

#include "profile/gather.h"

s64 folded_print(FILE *out, const struct gather *gather, bool times);
int folded_check(const char *input, const struct gather *gather);

#endif /* TPROF_FOLDED_H */
