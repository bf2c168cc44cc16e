/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx export - functions of the kernel that enter interrupts
 *
 * In firefox, frames have categories: kernel code that an interrupt calls has frames of its
 * own.
 */
#ifndef TPROF_EXPORT_INTERRUPTS_H
#define TPROF_EXPORT_INTERRUPTS_H

#include "base/types.h"

bool is_interrupt_entry(const char *name);

#endif /* TPROF_EXPORT_INTERRUPTS_H */
