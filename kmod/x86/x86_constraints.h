/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - which counters can count an event, by model of the processor
 *
 * The processor reports no error if a counter is set to an event that it cannot
 * count: the counter counts nothing or something else. The file also compiles in
 * user space, for the unit tests.
 */
#ifndef TPROF_X86_CONSTRAINTS_H
#define TPROF_X86_CONSTRAINTS_H

#include "x86/x86_caps.h"

u64 tprof_x86_intel_constraint(const struct tprof_x86_caps *caps, u64 config);
u64 tprof_x86_amd_constraint(const struct tprof_x86_caps *caps, u64 config);
u64 tprof_x86_intel_grain(const struct tprof_x86_caps *caps, u64 config);

#endif /* TPROF_X86_CONSTRAINTS_H */
