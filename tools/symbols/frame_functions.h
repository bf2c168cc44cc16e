/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the functions that .eh_frame of a binary describes, also of a stripped one
 */
#ifndef TPROF_FRAME_FUNCTIONS_H
#define TPROF_FRAME_FUNCTIONS_H

#include <libelf.h>

#include "base/types.h"

int frame_functions(Elf *elf, int (*visit)(void *arg, u64 start, u64 end), void *arg);

#endif /* TPROF_FRAME_FUNCTIONS_H */
