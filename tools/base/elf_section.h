/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - find sections of an ELF file by name
 */
#ifndef TPROF_ELF_SECTION_H
#define TPROF_ELF_SECTION_H

#include <gelf.h>

Elf_Scn *elf_section_next(Elf *elf, Elf_Scn *after, const char *name, GElf_Shdr *header);

#endif /* TPROF_ELF_SECTION_H */
