// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - find sections of an ELF file by name
 */
#include <string.h>

#include "base/elf_section.h"

/* Return the first section of that name after @after, or after none if it is NULL. */
Elf_Scn *elf_section_next(Elf *elf, Elf_Scn *after, const char *name, GElf_Shdr *header)
{
	Elf_Scn *scn = after;
	const char *text;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return NULL;
	while ((scn = elf_nextscn(elf, scn))) {
		text = gelf_getshdr(scn, header) ? elf_strptr(elf, names, header->sh_name) : NULL;
		if (text && !strcmp(text, name))
			return scn;
	}
	return NULL;
}
