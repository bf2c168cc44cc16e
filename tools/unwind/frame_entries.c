// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - check the entries of .eh_frame or .debug_frame, before libdw follows them
 *
 * An entry is the description of a function (FDE), or what many of them have in common (CIE).
 * libdw reads entry after entry. By a search table in .eh_frame_hdr, it could begin anywhere;
 * so it must not see one.
 */
#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "unwind/frame_entries.h"
#include "unwind/frame_program.h"

/* libdw keeps a state for each CIE. A linker leaves one for each compilation unit at most. */
#define MAX_CIES	(1 << 16)

/**
 * struct cie - what is needed of a CIE to find the instructions of its functions
 * @offset:	its offset
 * @addr_bytes:	size of an address
 * @is_sized:	functions have further data, with its length before it
 */
struct cie {
	u64	offset;
	u8	addr_bytes;
	bool	is_sized;
};

/**
 * struct entries - the entries that were read
 * @ident:	first bytes of the ELF header
 * @data:	all entries
 * @is_eh:	they are of .eh_frame
 * @cies:	array of struct cie, sorted by offset
 * @nr_cies:	number of @cies
 */
struct entries {
	const unsigned char *ident;
	Elf_Data *data;
	bool	is_eh;
	struct bytes cies;
	size_t	nr_cies;
};

/* Return the size of a value, or 0 if it is not fixed. */
static u8 encoded_bytes(u8 encoding)
{
	static const u8 sizes[8] = {
		[DW_EH_PE_absptr] = 8, [DW_EH_PE_udata2] = 2, [DW_EH_PE_udata4] = 4,
		[DW_EH_PE_udata8] = 8,
	};

	return (encoding & 0x70) == DW_EH_PE_aligned ? 0 : sizes[encoding & 7];
}

/* Read how functions encode addresses. Return false for what no x86-64 compiler writes. */
static bool parse_augmentation(const Dwarf_CIE *entry, struct cie *cie)
{
	const u8 *at = entry->augmentation_data, *end = at + entry->augmentation_data_size;
	const char *letter = entry->augmentation;

	if (entry->initial_instructions > entry->initial_instructions_end)
		return false;
	cie->addr_bytes = 8;
	cie->is_sized = *letter == 'z';
	if (!cie->is_sized)
		return !*letter;
	while (*++letter) {
		if (*letter == 'S' || *letter == 'B')
			continue;
		if (!strchr("LPR", *letter) || at == end)
			return false;
		if (*letter == 'R')
			cie->addr_bytes = encoded_bytes(*at);
		if (*letter == 'P' && (!encoded_bytes(*at) || end - at <= encoded_bytes(*at)))
			return false;
		at += *letter == 'P' ? 1 + encoded_bytes(*at) : 1;
	}
	return cie->addr_bytes;
}

static int add_cie(struct entries *entries, u64 offset, const Dwarf_CIE *entry)
{
	const struct frame_program program = {
		entry->initial_instructions, entry->initial_instructions_end,
	};
	struct cie cie = { .offset = offset };

	if (!parse_augmentation(entry, &cie) || !frame_program_is_modest(program) ||
	    entries->nr_cies++ == MAX_CIES)
		return -EBADMSG;
	bytes_add(&entries->cies, &cie, sizeof(cie));
	return bytes_err(&entries->cies);
}

static int compare_offsets(const void *a, const void *b)
{
	u64 x = ((const struct cie *)a)->offset, y = ((const struct cie *)b)->offset;

	return (x > y) - (x < y);
}

/* Return true if libdw can read a CIE at an offset where none of the entries begins. */
static bool is_hidden_cie(const struct entries *entries, u64 offset)
{
	Dwarf_CFI_Entry entry;
	Dwarf_Off next;

	return !dwarf_next_cfi(entries->ident, entries->data, entries->is_eh, offset, &next,
			       &entry) && dwarf_cfi_cie_p(&entry);
}

static int check_function(const struct entries *entries, const Dwarf_FDE *entry)
{
	const struct cie key = { .offset = entry->CIE_pointer };
	struct frame_program program = { entry->start, entry->end };
	const struct cie *cie = entries->nr_cies ?
		bsearch(&key, entries->cies.data, entries->nr_cies, sizeof(key), compare_offsets) :
		NULL;
	u64 len;

	if (!cie)
		return is_hidden_cie(entries, key.offset) ? -EBADMSG : 0;
	if (!frame_program_skip(&program, 2 * cie->addr_bytes))
		return -EBADMSG;
	if (cie->is_sized && (!frame_program_take_number(&program, &len) ||
			      !frame_program_skip(&program, len)))
		return -EBADMSG;
	return frame_program_is_modest(program) ? 0 : -EBADMSG;
}

/* Check all entries, as far as libdw reads them. Return 0; -EBADMSG for a damaged one; -ENOMEM. */
int frame_entries_check(Elf *elf, Elf_Data *data, bool is_eh)
{
	struct entries entries = {
		.ident = (const unsigned char *)elf_getident(elf, NULL), .data = data,
		.is_eh = is_eh,
	};
	Dwarf_Off at = 0, next = 0;
	Dwarf_CFI_Entry entry;
	int ret, err = 0;

	for (; !err; at = next) {
		ret = dwarf_next_cfi(entries.ident, data, is_eh, at, &next, &entry);
		if (ret > 0 || (ret < 0 && next == at))
			break;
		if (ret < 0)
			continue;
		err = dwarf_cfi_cie_p(&entry) ? add_cie(&entries, at, &entry.cie) :
						check_function(&entries, &entry.fde);
	}
	bytes_free(&entries.cies);
	return err;
}
