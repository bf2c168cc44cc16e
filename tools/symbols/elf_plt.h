/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - find PLT stubs of an ELF file, file offsets of addresses, and ends of code
 */
#ifndef TPROF_ELF_PLT_H
#define TPROF_ELF_PLT_H

#include <libelf.h>

#include "base/types.h"

/**
 * struct elf_stub - a PLT stub
 * @addr:	link-time address
 * @size:	size in bytes
 * @name:	name of the function that it jumps to
 */
struct elf_stub {
	u64	addr;
	u64	size;
	const char *name;
};

int elf_each_stub(Elf *elf, int (*visit)(void *arg, const struct elf_stub *stub), void *arg);
bool elf_file_offset(Elf *elf, u64 addr, u64 *offset);
bool elf_address(Elf *elf, u64 offset, u64 *addr);
u64 elf_code_left(Elf *elf, u64 offset);

#endif /* TPROF_ELF_PLT_H */
