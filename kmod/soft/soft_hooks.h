/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the places in the kernel where software events happen
 */
#ifndef TPROF_SOFT_HOOKS_H
#define TPROF_SOFT_HOOKS_H

#include "soft/soft_event.h"

int tprof_soft_hooks_get(enum tprof_soft_kind kind);
bool tprof_soft_hooks_can_sample(enum tprof_soft_kind kind);
void tprof_soft_hooks_put(enum tprof_soft_kind kind);

#endif /* TPROF_SOFT_HOOKS_H */
