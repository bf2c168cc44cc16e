/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - a pager between a command and the terminal
 */
#ifndef TPROF_PAGER_H
#define TPROF_PAGER_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/types.h"

u32 output_columns(void);
pid_t pager_start(void);
bool pager_wait(pid_t pager);

#endif /* TPROF_PAGER_H */
