/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the contents of a CPU's registers before its counters are armed
 *
 * Context: interrupts off, on the CPU of the counters.
 */
#ifndef TPROF_X86_SAVED_H
#define TPROF_X86_SAVED_H

#include "x86/x86_cpu_types.h"

u64 tprof_x86_saved_running(struct tprof_x86_cpu *xcpu);
u64 tprof_x86_saved_silent(struct tprof_x86_cpu *xcpu);
int tprof_x86_saved_take_over(struct tprof_x86_cpu *xcpu);
void tprof_x86_saved_give_back(struct tprof_x86_cpu *xcpu);

#endif /* TPROF_X86_SAVED_H */
