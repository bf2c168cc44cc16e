/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - check the entries of .eh_frame or .debug_frame, before libdw follows them
 *
 * All descriptions are checked before libdw sees the first one, entry by entry, as libdw reads
 * them.
 */
#ifndef TPROF_FRAME_ENTRIES_H
#define TPROF_FRAME_ENTRIES_H

#include <elfutils/libdw.h>

#include "base/types.h"

int frame_entries_check(Elf *elf, Elf_Data *data, bool is_eh);

#endif /* TPROF_FRAME_ENTRIES_H */
