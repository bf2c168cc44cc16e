/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - check .eh_frame of a binary
 */
#ifndef TPROF_EH_FRAME_H
#define TPROF_EH_FRAME_H

#include <libelf.h>

#include "base/types.h"

int eh_frame_check(Elf *elf, char *image, size_t size);

#endif /* TPROF_EH_FRAME_H */
