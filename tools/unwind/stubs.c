// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the stubs of a procedure linkage table, which few linkers describe
 *
 * Linkers write these forms:
 *
 *	first	push slot(%rip); jmp *slot(%rip)		16 bytes, before lazy stubs
 *	lazy	jmp *slot(%rip); push number; jmp first		16 bytes
 *	lazy	endbr64; push number; jmp first			16 bytes
 *	others	(endbr64;) jmp *slot(%rip)			8 or 16 bytes
 *
 * A lazy stub jumps to the first one when the function is called the first time.
 */
#include <gelf.h>
#include <string.h>

#include "unwind/stubs.h"

#define STUB_BYTES	16

/* In a lazy stub and in the first one, the offset of the instruction after its push */
#define AFTER_PUSH		11
#define AFTER_PUSH_ENDBR	9
#define AFTER_PUSH_FIRST	6

static bool is_stubs(const char *name)
{
	return name && (!strcmp(name, ".plt") || !strcmp(name, ".iplt") ||
			!strcmp(name, ".plt.got") || !strcmp(name, ".plt.sec"));
}

static void add(struct stubs *stubs, u64 begin, u64 end, u8 how, s32 offset)
{
	if (stubs->nr == STUBS_MAX_RANGES || begin >= end)
		return;
	stubs->ranges[stubs->nr++] = (struct unwind_range){
		.begin = begin,
		.end = end,
		.rule = { .how = how, .base = TPROF_LX_UNWIND_RSP | TPROF_LX_UNWIND_RBX_SAME << 4,
			  .rbp = TPROF_LX_UNWIND_RBP_SAME, .offset = offset },
		.source = UNWIND_STUBS,
	};
}

/* Add the stubs from @begin to @end. Their code is at @code. */
static void add_section(struct stubs *stubs, u64 begin, u64 end, const u8 *code)
{
	static const u8 first[] = { 0xff, 0x35 }, endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa, 0x68 };
	u64 next = begin;

	if (end - begin >= 2 * STUB_BYTES && !memcmp(code, first, sizeof(first))) {
		next += STUB_BYTES;
		code += STUB_BYTES;
		add(stubs, begin, begin + AFTER_PUSH_FIRST, TPROF_LX_UNWIND_CFA, 16);
		add(stubs, begin + AFTER_PUSH_FIRST, next, TPROF_LX_UNWIND_CFA, 24);
	}
	/* In stubs that are not lazy, no instruction that runs is so far behind. */
	add(stubs, next, end, TPROF_LX_UNWIND_PLT,
	    memcmp(code, endbr64, sizeof(endbr64)) ? AFTER_PUSH : AFTER_PUSH_ENDBR);
}

/* Find the stubs of a binary with contents @bytes. One that is damaged or stripped has none. */
void stubs_open(struct stubs *stubs, Elf *elf, const void *bytes, size_t size)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	size_t names;

	*stubs = (struct stubs){ 0 };
	if (elf_getshdrstrndx(elf, &names))
		return;
	while ((section = elf_nextscn(elf, section))) {
		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_PROGBITS ||
		    !(header.sh_flags & SHF_EXECINSTR) || header.sh_size < STUB_BYTES / 2 ||
		    header.sh_offset > size || header.sh_size > size - header.sh_offset ||
		    header.sh_addr + header.sh_size < header.sh_addr ||
		    !is_stubs(elf_strptr(elf, names, header.sh_name)))
			continue;
		add_section(stubs, header.sh_addr, header.sh_addr + header.sh_size,
			    (const u8 *)bytes + header.sh_offset);
	}
}

/*
 * Find the first range at or after @from and before @to, without what is outside of these. Return
 * false if there is none.
 */
bool stubs_find(const struct stubs *stubs, u64 from, u64 to, struct unwind_range *range)
{
	const struct unwind_range *found = NULL, *next;
	u32 i;

	for (i = 0; i < stubs->nr; i++) {
		next = &stubs->ranges[i];
		if (next->begin < to && next->end > from && (!found || next->begin < found->begin))
			found = next;
	}
	if (!found || from >= to)
		return false;
	*range = *found;
	if (range->begin < from)
		range->begin = from;
	if (range->end > to)
		range->end = to;
	return true;
}
