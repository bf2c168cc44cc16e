// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - find PLT stubs of an ELF file
 *
 * On x86-64, the linker makes a stub of 16 bytes for each entry of .rela.plt, in the
 * same order. Section .plt has these stubs, after a first stub that resolves functions.
 * With IBT, section .plt.sec has another stub for each entry, but no such first stub.
 */
#include <gelf.h>
#include <stdio.h>

#include "base/elf_section.h"
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

static bool find_relocations(Elf *elf, struct sections *sections)
{
	GElf_Shdr header, symbols;
	Elf_Scn *scn = elf_section_next(elf, NULL, ".rela.plt", &header);

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
		if (!elf_section_next(elf, NULL, places[place].name, &header))
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
