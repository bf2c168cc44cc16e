/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - which counters can count an event, by model of the processor
 *
 * If a counter that cannot count an event is set to it all the same, it counts nothing
 * or something else, without an error. Compiles in user space.
 */
#ifndef TPROF_X86_CONSTRAINTS_H
#define TPROF_X86_CONSTRAINTS_H

#include "x86/x86_caps.h"

u64 tprof_x86_intel_constraint(const struct tprof_x86_caps *caps, u64 config);
u64 tprof_x86_amd_constraint(const struct tprof_x86_caps *caps, u64 config);
u64 tprof_x86_intel_grain(const struct tprof_x86_caps *caps, u64 config);

#endif /* TPROF_X86_CONSTRAINTS_H */
