// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - find PLT stubs of an ELF file; convert addresses to file offsets and back
 *
 * On x86-64, the linker makes a stub of 16 bytes for each entry of .rela.plt, in the
 * same order. Section .plt has these stubs, after a first stub that resolves functions.
 * With IBT, section .plt.sec has another stub for each entry, but no such first stub.
 */
#include <gelf.h>
#include <stdio.h>
#include <string.h>

#include "symbols/elf_plt.h"

#define STUB_SIZE	16
#define ABSOLUTE_LEN	32

/**
 * struct sections - the sections that describe stubs
 * @relocations:	.rela.plt
 * @symbols:	symbol table that @relocations refers to
 * @strings:	index of the section with the names of @symbols
 * @nr:		number of entries in @relocations
 */
struct sections {
	Elf_Data *relocations;
	Elf_Data *symbols;
	size_t	strings;
	size_t	nr;
};

static Elf_Scn *find_section(Elf *elf, const char *name, GElf_Shdr *header)
{
	Elf_Scn *scn = NULL;
	const char *text;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return NULL;
	while ((scn = elf_nextscn(elf, scn))) {
		if (!gelf_getshdr(scn, header))
			continue;
		text = elf_strptr(elf, names, header->sh_name);
		if (text && !strcmp(text, name))
			return scn;
	}
	return NULL;
}

static bool find_relocations(Elf *elf, struct sections *sections)
{
	GElf_Shdr header, symbols;
	Elf_Scn *scn = find_section(elf, ".rela.plt", &header);

	if (!scn || header.sh_type != SHT_RELA || !header.sh_entsize)
		return false;
	sections->nr = header.sh_size / header.sh_entsize;
	sections->relocations = elf_getdata(scn, NULL);
	scn = elf_getscn(elf, header.sh_link);
	if (!scn || !gelf_getshdr(scn, &symbols))
		return false;
	sections->symbols = elf_getdata(scn, NULL);
	sections->strings = symbols.sh_link;
	return sections->relocations && sections->symbols;
}

/*
 * Return the name of the function of relocation @i. An IFUNC relocation has no symbol:
 * make the name that objdump prints, such as "*ABS*+0x1120".
 */
static const char *name_of(Elf *elf, const struct sections *sections, size_t i,
			   char buf[ABSOLUTE_LEN])
{
	GElf_Rela rela;
	GElf_Sym sym;

	if (!gelf_getrela(sections->relocations, i, &rela))
		return NULL;
	if (!GELF_R_SYM(rela.r_info)) {
		snprintf(buf, ABSOLUTE_LEN, "*ABS*+0x%llx", (u64)rela.r_addend);
		return buf;
	}
	if (!gelf_getsym(sections->symbols, GELF_R_SYM(rela.r_info), &sym))
		return NULL;
	return elf_strptr(elf, sections->strings, sym.st_name);
}

/*
 * Call @visit for each PLT stub of a file until @visit fails. Return 0, or the error of
 * @visit.
 */
int elf_each_stub(Elf *elf, int (*visit)(void *arg, const struct elf_stub *stub), void *arg)
{
	static const struct {
		const char *name;
		u32 first;
	} places[] = { { ".plt", STUB_SIZE }, { ".plt.sec", 0 } };
	struct elf_stub stub = { .size = STUB_SIZE };
	struct sections sections;
	char buf[ABSOLUTE_LEN];
	GElf_Shdr header;
	size_t place, i;
	int err = 0;

	if (!find_relocations(elf, &sections))
		return 0;
	for (place = 0; place < ARRAY_SIZE(places); place++) {
		if (!find_section(elf, places[place].name, &header))
			continue;
		for (i = 0; i < sections.nr && !err; i++) {
			stub.addr = header.sh_addr + places[place].first + i * STUB_SIZE;
			stub.name = name_of(elf, &sections, i, buf);
			if (stub.name && stub.addr + STUB_SIZE <= header.sh_addr + header.sh_size)
				err = visit(arg, &stub);
		}
	}
	return err;
}

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
