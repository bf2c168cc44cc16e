/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx top - the time and memory that this process uses
 */
#ifndef TPROF_OWN_USE_H
#define TPROF_OWN_USE_H

#include "base/types.h"

u64 own_cpu_time(void);
u64 own_memory(void);

#endif /* TPROF_OWN_USE_H */
