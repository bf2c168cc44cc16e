/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - other users of the counters that /proc knows of
 */
#ifndef TPROF_HOLDERS_H
#define TPROF_HOLDERS_H

#include "types.h"

u32 holders_find(const char *proc, char *text, size_t len);

#endif /* TPROF_HOLDERS_H */
