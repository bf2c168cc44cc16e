/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - an ELF file in memory with pieces of machine code, for objdump(1)
 *
 * objdump reads this file instead of the binary, so that it sees only the bytes to
 * disassemble, at their addresses, wherever they come from.
 */
#ifndef TPROF_CODE_FILE_H
#define TPROF_CODE_FILE_H

#include "base/bytes.h"
#include "code/instruction.h"

/* Maximum number of pieces, so that each is a section with an index below SHN_LORESERVE. */
#define CODE_FILE_PIECES	32768

/* Section @i, from 0, has this name. */
#define CODE_FILE_SECTION	"c%zu"

int code_file_make(struct bytes *out, const struct machine_code *pieces, size_t nr);

#endif /* TPROF_CODE_FILE_H */
