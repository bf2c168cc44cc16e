// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - addresses of an ELF file, their file offsets, and where its code ends
 */
#include <gelf.h>

#include "symbols/elf_address.h"

/*
 * Find the PT_LOAD segment that contains @number, which is an address or a file offset.
 * @is_in returns whether a segment contains @number.
 */
static bool find_segment(Elf *elf, u64 number, bool (*is_in)(const GElf_Phdr *part, u64 number),
			 GElf_Phdr *part)
{
	size_t nr, i;

	if (elf_getphdrnum(elf, &nr))
		return false;
	for (i = 0; i < nr; i++) {
		if (gelf_getphdr(elf, i, part) && part->p_type == PT_LOAD && is_in(part, number))
			return true;
	}
	return false;
}

static bool has_addr(const GElf_Phdr *part, u64 addr)
{
	return addr >= part->p_vaddr && addr - part->p_vaddr < part->p_filesz;
}

static bool has_offset(const GElf_Phdr *part, u64 offset)
{
	return offset >= part->p_offset && offset - part->p_offset < part->p_filesz;
}

/* Convert a link-time address to a file offset. Return false if it is in no segment. */
bool elf_file_offset(Elf *elf, u64 addr, u64 *offset)
{
	GElf_Phdr part;

	if (!find_segment(elf, addr, has_addr, &part))
		return false;
	*offset = addr - part.p_vaddr + part.p_offset;
	return true;
}

/* Convert a file offset to a link-time address. Return false if it is in no segment. */
bool elf_address(Elf *elf, u64 offset, u64 *addr)
{
	GElf_Phdr part;

	if (!find_segment(elf, offset, has_offset, &part))
		return false;
	*addr = offset - part.p_offset + part.p_vaddr;
	return true;
}

/* Find the section of code that contains a file offset. */
static bool find_code_section(Elf *elf, u64 offset, GElf_Shdr *section)
{
	Elf_Scn *scn = NULL;

	while ((scn = elf_nextscn(elf, scn))) {
		if (gelf_getshdr(scn, section) && section->sh_flags & SHF_EXECINSTR &&
		    section->sh_type != SHT_NOBITS && offset >= section->sh_offset &&
		    offset - section->sh_offset < section->sh_size)
			return true;
	}
	return false;
}

/*
 * Return the number of bytes from a file offset to the end of its section of code, or of its
 * segment if it is in no such section, or 0 if it is in neither.
 */
u64 elf_code_left(Elf *elf, u64 offset)
{
	GElf_Shdr section;
	GElf_Phdr part;

	if (find_code_section(elf, offset, &section))
		return section.sh_offset + section.sh_size - offset;
	if (find_segment(elf, offset, has_offset, &part))
		return part.p_offset + part.p_filesz - offset;
	return 0;
}
