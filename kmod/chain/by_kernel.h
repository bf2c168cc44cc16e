/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the kernel part of a call chain, by the kernel's unwinder
 */
#ifndef TPROF_BY_KERNEL_H
#define TPROF_BY_KERNEL_H

#include "chain/gather.h"

struct pt_regs;

void tprof_by_kernel_gather(struct tprof_gather *gather, struct pt_regs *regs);

#endif /* TPROF_BY_KERNEL_H */
