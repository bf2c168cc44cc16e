/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - addresses of an ELF file, their file offsets, and where its code ends
 */
#ifndef TPROF_ELF_ADDRESS_H
#define TPROF_ELF_ADDRESS_H

#include <libelf.h>

#include "base/types.h"

bool elf_file_offset(Elf *elf, u64 addr, u64 *offset);
bool elf_address(Elf *elf, u64 offset, u64 *addr);
u64 elf_code_left(Elf *elf, u64 offset);

#endif /* TPROF_ELF_ADDRESS_H */
