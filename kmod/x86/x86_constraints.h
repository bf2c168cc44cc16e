/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - what a model's counters can do with its own events
 *
 * On another counter than its own such an event counts nothing, or something
 * else, and nothing tells. Compiles in user space.
 */
#ifndef TPROF_X86_CONSTRAINTS_H
#define TPROF_X86_CONSTRAINTS_H

#include "x86/x86_caps.h"

u64 tprof_x86_intel_constraint(const struct tprof_x86_caps *caps, u64 config);
u64 tprof_x86_amd_constraint(const struct tprof_x86_caps *caps, u64 config);
u64 tprof_x86_intel_grain(const struct tprof_x86_caps *caps, u64 config);

#endif /* TPROF_X86_CONSTRAINTS_H */
