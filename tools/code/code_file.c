// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - an ELF file in memory with pieces of machine code, for objdump(1)
 */
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "code/code_file.h"

#define NAMES	".shstrtab"

/* The first section has no contents; the last one has the names. */
#define OTHER_SECTIONS	2

static void add_header(struct bytes *out, size_t nr_sections)
{
	Elf64_Ehdr header = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
			     EV_CURRENT },
		.e_type = ET_EXEC,
		.e_machine = EM_X86_64,
		.e_version = EV_CURRENT,
		.e_shoff = sizeof(header),
		.e_ehsize = sizeof(header),
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = nr_sections,
		.e_shstrndx = nr_sections - 1,
	};

	bytes_add(out, &header, sizeof(header));
}

static void add_section(struct bytes *out, struct bytes *names, const char *name,
			const Elf64_Shdr *section)
{
	Elf64_Shdr header = *section;

	header.sh_name = names->len;
	bytes_add(names, name, strlen(name) + 1);
	header.sh_addralign = 1;
	bytes_add(out, &header, sizeof(header));
}

/* Write the headers of all sections. Their contents follow, in the same order. */
static void add_sections(struct bytes *out, struct bytes *names, const struct machine_code *pieces,
			 size_t nr)
{
	Elf64_Shdr section = {
		.sh_type = SHT_PROGBITS,
		.sh_flags = SHF_ALLOC | SHF_EXECINSTR,
		.sh_offset = sizeof(Elf64_Ehdr) + (nr + OTHER_SECTIONS) * sizeof(Elf64_Shdr),
	};
	char name[32];
	size_t i;

	add_section(out, names, "", &(Elf64_Shdr){ 0 });
	for (i = 0; i < nr; i++) {
		snprintf(name, sizeof(name), CODE_FILE_SECTION, i);
		section.sh_addr = pieces[i].addr;
		section.sh_size = pieces[i].len;
		add_section(out, names, name, &section);
		section.sh_offset += section.sh_size;
	}
	section = (Elf64_Shdr){ .sh_type = SHT_STRTAB, .sh_offset = section.sh_offset,
				.sh_size = names->len + sizeof(NAMES) };
	add_section(out, names, NAMES, &section);
}

/* Write the file. Return 0, -E2BIG if @nr is above CODE_FILE_PIECES, or -ENOMEM. */
int code_file_make(struct bytes *out, const struct machine_code *pieces, size_t nr)
{
	struct bytes names = { 0 };
	size_t i;
	int err;

	if (nr > CODE_FILE_PIECES)
		return -E2BIG;
	add_header(out, nr + OTHER_SECTIONS);
	add_sections(out, &names, pieces, nr);
	for (i = 0; i < nr; i++)
		bytes_add(out, pieces[i].bytes, pieces[i].len);
	bytes_add(out, names.data, names.len);
	err = bytes_err(&names);
	bytes_free(&names);
	return err ? err : bytes_err(out);
}
