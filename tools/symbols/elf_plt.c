// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - what no symbol of an ELF file says: stubs, and where code is in it
 *
 * The linker makes a stub for each entry of .rela.plt, in that order and each
 * of 16 bytes on x86-64: in .plt behind a first one that finds functions, and
 * where branches are tracked (IBT), once more in .plt.sec.
 */
#include <gelf.h>
#include <stdio.h>
#include <string.h>

#include "symbols/elf_plt.h"

#define STUB_SIZE	16
#define ABSOLUTE_LEN	32

/**
 * struct sections - those that stubs are made of
 * @relocations:	.rela.plt
 * @symbols:	the symbols that it names
 * @strings:	section of their names
 * @nr:		how many entries
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

/* A function that is chosen at load time has no name there; objdump's will do. */
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
 * Visit all stubs of a file.
 *
 * @visit: called for each; a failure ends the walk
 *
 * Return 0, or what @visit failed with.
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

/* Return: the loaded part of a file that @is_in says to have a number in it. */
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

/*
 * Where in a file an address comes from.
 *
 * @addr: the address, as the linker gave it
 *
 * Return false when it comes from nowhere.
 */
bool elf_file_offset(Elf *elf, u64 addr, u64 *offset)
{
	GElf_Phdr part;

	if (!find_segment(elf, addr, has_addr, &part))
		return false;
	*offset = addr - part.p_vaddr + part.p_offset;
	return true;
}

/*
 * Where the linker put what is in a file. Return false when it is in no part that
 * is loaded.
 */
bool elf_address(Elf *elf, u64 offset, u64 *addr)
{
	GElf_Phdr part;

	if (!find_segment(elf, offset, has_offset, &part))
		return false;
	*addr = offset - part.p_offset + part.p_vaddr;
	return true;
}
