/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - check .eh_frame of a binary
 *
 * libdw would use the search table of .eh_frame_hdr, which may lead to descriptions within
 * others. So it is removed from the copy of the binary in memory. That costs no time, as the
 * ranges are read in order anyway.
 */
#ifndef TPROF_EH_FRAME_H
#define TPROF_EH_FRAME_H

#include <libelf.h>

#include "base/types.h"

int eh_frame_check(Elf *elf, char *image, size_t size);

#endif /* TPROF_EH_FRAME_H */
