/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the names that GNU as gives to instructions
 *
 * Zydis has the names of Intel's manual, also where those of AT&T syntax differ.
 */
#ifndef TPROF_GNU_NAMES_H
#define TPROF_GNU_NAMES_H

#include <Zydis/Zydis.h>

#include "base/types.h"

bool gnu_name(const ZydisDecodedInstruction *decoded, const ZydisDecodedOperand *operands,
	      char *buf, size_t len);

#endif /* TPROF_GNU_NAMES_H */
