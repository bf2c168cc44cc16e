/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the reset of general counters that some processors need
 *
 * Context: interrupts off, on the CPU of the counters.
 */
#ifndef TPROF_X86_RESET_H
#define TPROF_X86_RESET_H

#include "x86/x86_cpu_types.h"

void tprof_x86_reset(struct tprof_x86_cpu *xcpu);

#endif /* TPROF_X86_RESET_H */
