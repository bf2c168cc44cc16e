/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the reservation of the counters, which keeps perf away
 */
#ifndef TPROF_X86_RESERVE_H
#define TPROF_X86_RESERVE_H

#include "x86/x86_caps.h"

int tprof_x86_reserve(const struct tprof_x86_caps *caps, u32 nr);
void tprof_x86_unreserve(void);
bool tprof_x86_is_reserved(void);
bool tprof_x86_is_held_by_perf(void);
void tprof_x86_reserve_init(const struct tprof_x86_caps *caps);
void tprof_x86_reserve_uninit(void);

#endif /* TPROF_X86_RESERVE_H */
