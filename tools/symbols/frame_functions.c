// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the functions that .eh_frame of a binary describes, also of a stripped one
 *
 * The search table in .eh_frame_hdr has the start of each function and the address of its entry
 * in .eh_frame, which has the size. The table is read as linkers write it for x86-64; any other
 * one counts as none. Each number is checked, because the file may be damaged.
 */
#include <dwarf.h>
#include <gelf.h>

#include "base/load.h"
#include "symbols/frame_functions.h"

/* Offsets in .eh_frame_hdr, and the size of a row of its table. */
#define HEADER_FRAMES	4
#define HEADER_NR	8
#define HEADER_TABLE	12
#define ROW_BYTES	8
/* Offsets in an entry of .eh_frame, and its least size. */
#define ENTRY_START	8
#define ENTRY_SIZE	12
#define ENTRY_BYTES	16

/**
 * struct part - a part of the file
 * @bytes:	its bytes, or NULL
 * @len:	number of @bytes
 * @addr:	address of the first one
 */
struct part {
	const u8 *bytes;
	u64	len;
	u64	addr;
};

/* Return the bytes from @addr to the end of their segment. */
static struct part part_at(Elf *elf, u64 addr)
{
	GElf_Phdr segment;
	Elf_Data *data;
	size_t nr, i;
	u64 offset;

	if (elf_getphdrnum(elf, &nr))
		return (struct part){ 0 };
	for (i = 0; i < nr; i++) {
		if (!gelf_getphdr(elf, i, &segment) || segment.p_type != PT_LOAD ||
		    addr < segment.p_vaddr || addr - segment.p_vaddr >= segment.p_filesz)
			continue;
		offset = addr - segment.p_vaddr;
		data = elf_getdata_rawchunk(elf, segment.p_offset + offset,
					    segment.p_filesz - offset, ELF_T_BYTE);
		if (data)
			return (struct part){ data->d_buf, data->d_size, addr };
	}
	return (struct part){ 0 };
}

/* Return .eh_frame_hdr, or a part without bytes. */
static struct part header_of(Elf *elf)
{
	GElf_Phdr segment;
	struct part header;
	size_t nr, i;

	if (elf_getphdrnum(elf, &nr))
		return (struct part){ 0 };
	for (i = 0; i < nr; i++) {
		if (!gelf_getphdr(elf, i, &segment) || segment.p_type != PT_GNU_EH_FRAME)
			continue;
		header = part_at(elf, segment.p_vaddr);
		if (header.len > segment.p_filesz)
			header.len = segment.p_filesz;
		return header;
	}
	return (struct part){ 0 };
}

/* Return true if the header is encoded as linkers write it. */
static bool is_usual(const struct part *header)
{
	return header->bytes && header->len >= HEADER_TABLE && header->bytes[0] == 1 &&
	       header->bytes[1] == (DW_EH_PE_pcrel | DW_EH_PE_sdata4) &&
	       header->bytes[2] == DW_EH_PE_udata4 &&
	       header->bytes[3] == (DW_EH_PE_datarel | DW_EH_PE_sdata4);
}

/* Return the sum of @base and the signed number at @at. */
static u64 relative(u64 base, const u8 *at)
{
	return base + (s64)(s32)load_u32(at);
}

/* Return the size that the entry at @addr has for the function at @start, or 0. */
static u32 size_of(const struct part *frames, u64 addr, u64 start)
{
	u64 at = addr - frames->addr;
	const u8 *entry = frames->bytes + at;

	if (addr < frames->addr || frames->len < ENTRY_BYTES || at > frames->len - ENTRY_BYTES)
		return 0;
	/* A length of ~0 announces one of 64 bits. */
	if (!load_u32(entry) || load_u32(entry) == ~0U ||
	    relative(addr + ENTRY_START, entry + ENTRY_START) != start)
		return 0;
	return load_u32(entry + ENTRY_SIZE);
}

/*
 * Call @visit with the link-time addresses of each function, in the order of addresses. Stop
 * if it does not return 0. Return what it returned last, or 0.
 */
int frame_functions(Elf *elf, int (*visit)(void *arg, u64 start, u64 end), void *arg)
{
	struct part header = header_of(elf), frames;
	const u8 *row;
	u64 nr, start;
	int ret = 0;
	u32 size;

	if (!is_usual(&header))
		return 0;
	frames = part_at(elf, relative(header.addr + HEADER_FRAMES, header.bytes + HEADER_FRAMES));
	nr = load_u32(header.bytes + HEADER_NR);
	if (!frames.bytes || nr > (header.len - HEADER_TABLE) / ROW_BYTES)
		return 0;
	for (row = header.bytes + HEADER_TABLE; nr && !ret; nr--, row += ROW_BYTES) {
		start = relative(header.addr, row);
		size = size_of(&frames, relative(header.addr, row + 4), start);
		if (size)
			ret = visit(arg, start, start + size);
	}
	return ret;
}
