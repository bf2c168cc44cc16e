/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - events that need a register besides those of the counter
 */
#ifndef TPROF_X86_EXTRA_H
#define TPROF_X86_EXTRA_H

#include "x86/x86_caps.h"

bool tprof_x86_needs_extra(const struct tprof_x86_caps *caps, u64 config);

#endif /* TPROF_X86_EXTRA_H */
