/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - disassemble machine code by objdump(1)
 */
#ifndef TPROF_OBJDUMP_H
#define TPROF_OBJDUMP_H

#include "code/decode.h"

int objdump_all(const char *program, const struct decoder *decoder,
		const struct machine_code *pieces, size_t nr, struct instructions *out);

#endif /* TPROF_OBJDUMP_H */
