/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - find PLT stubs of an ELF file
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

#endif /* TPROF_ELF_PLT_H */
