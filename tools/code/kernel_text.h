/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the kernel's code in the recording itself
 *
 * The code is what ran, with the parts that the kernel had patched. Only functions in which
 * samples were taken, and their callers, are stored.
 */
#ifndef TPROF_KERNEL_TEXT_H
#define TPROF_KERNEL_TEXT_H

#include "perfdata/feature_cursor.h"
#include "symbols/objects.h"

void kernel_text_write(int memory, const struct objects *objects, struct bytes *out);
const u8 *kernel_text_find(const struct feature_cursor *section, u64 addr, u64 len);

#endif /* TPROF_KERNEL_TEXT_H */
