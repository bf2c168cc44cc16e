/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - what no symbol of an ELF file says: stubs, and where code is in it
 */
#ifndef TPROF_ELF_PLT_H
#define TPROF_ELF_PLT_H

#include <libelf.h>

#include "base/types.h"

/**
 * struct elf_stub - code that jumps to a function of a library
 * @addr:	where it is
 * @size:	how long
 * @name:	of the function
 */
struct elf_stub {
	u64	addr;
	u64	size;
	const char *name;
};

int elf_each_stub(Elf *elf, int (*visit)(void *arg, const struct elf_stub *stub), void *arg);
bool elf_file_offset(Elf *elf, u64 addr, u64 *offset);
bool elf_address(Elf *elf, u64 offset, u64 *addr);

#endif /* TPROF_ELF_PLT_H */
