/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - tests whether a counter counts and its overflow sends an NMI
 */
#ifndef TPROF_X86_SELFTEST_H
#define TPROF_X86_SELFTEST_H

#include "x86/x86_cpu.h"

const char *tprof_x86_selftest(struct tprof_x86_cpu *xcpu);

#endif /* TPROF_X86_SELFTEST_H */
