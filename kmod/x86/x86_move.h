/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - moves running events to other counters
 */
#ifndef TPROF_X86_MOVE_H
#define TPROF_X86_MOVE_H

#include "x86/x86_rows.h"

int tprof_x86_move_off(int cpu, struct tprof_x86_rows *rows, u64 able);

#endif /* TPROF_X86_MOVE_H */
