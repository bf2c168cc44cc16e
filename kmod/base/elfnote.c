// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the GNU build-id of an ELF file
 *
 * The format is defined in the ELF gABI, "Program Header" and "Note Section". A
 * big-endian file counts as one without a build-id.
 *
 * Context: any in which the caller's read function may run. The unit test elfnote_test
 * compiles this file in user space.
 */
#ifdef __KERNEL__
#include <linux/align.h>
#include <linux/bits.h>
#include <linux/elf.h>
#include <linux/minmax.h>
#include <linux/string.h>
#else
#include <elf.h>
#include <string.h>
#endif

#include "base/elfnote.h"

enum limits {
	MAX_SEGMENTS		= 128,
	MAX_NOTE_SEGMENTS	= 8,
	MAX_NOTES		= 32,
	/* Type of the build-id note of the owner "GNU". */
	NOTE_BUILD_ID		= 3,
	/* Length of the build-id of a kernel module. */
	SHA1_BYTES		= 20,
};

/* The sum of two numbers below this limit cannot overflow. */
#define MAX_OFFSET	BIT_ULL(61)

struct elf {
	tprof_elfnote_read_t	read;
	void			*source;
	bool			is_64;
	u64			table;
	u32			nr_segments;
};

struct segment {
	u32	type;
	u64	offset;
	u64	bytes;
	u64	align;
};

struct note {
	Elf32_Nhdr	header;
	char		owner[4];
};

static bool is_build_id(const struct note *note)
{
	return note->header.n_type == NOTE_BUILD_ID &&
	       note->header.n_namesz == sizeof(note->owner) &&
	       !memcmp(note->owner, "GNU", sizeof(note->owner)) &&
	       note->header.n_descsz > 0 &&
	       note->header.n_descsz <= TPROF_ELFNOTE_ID_MAX;
}

static bool read_header_32(struct elf *elf)
{
	Elf32_Ehdr header;

	if (!elf->read(elf->source, 0, &header, sizeof(header)) ||
	    header.e_phentsize != sizeof(Elf32_Phdr))
		return false;
	elf->table = header.e_phoff;
	elf->nr_segments = header.e_phnum;
	return true;
}

static bool read_header_64(struct elf *elf)
{
	Elf64_Ehdr header;

	if (!elf->read(elf->source, 0, &header, sizeof(header)) ||
	    header.e_phentsize != sizeof(Elf64_Phdr))
		return false;
	elf->table = header.e_phoff;
	elf->nr_segments = header.e_phnum;
	return true;
}

static bool read_header(struct elf *elf)
{
	u8 ident[EI_NIDENT];

	if (!elf->read(elf->source, 0, ident, sizeof(ident)) ||
	    memcmp(ident, ELFMAG, SELFMAG) || ident[EI_DATA] != ELFDATA2LSB)
		return false;
	elf->is_64 = ident[EI_CLASS] == ELFCLASS64;
	if (!elf->is_64 && ident[EI_CLASS] != ELFCLASS32)
		return false;
	if (!(elf->is_64 ? read_header_64(elf) : read_header_32(elf)))
		return false;

	elf->nr_segments = min_t(u32, elf->nr_segments, MAX_SEGMENTS);
	return elf->table < MAX_OFFSET;
}

static bool read_segment_32(const struct elf *elf, u32 i,
			    struct segment *segment)
{
	Elf32_Phdr header;

	if (!elf->read(elf->source, elf->table + i * sizeof(header), &header,
		       sizeof(header)))
		return false;
	*segment = (struct segment){
		.type = header.p_type,
		.offset = header.p_offset,
		.bytes = header.p_filesz,
		.align = header.p_align,
	};
	return true;
}

static bool read_segment_64(const struct elf *elf, u32 i,
			    struct segment *segment)
{
	Elf64_Phdr header;

	if (!elf->read(elf->source, elf->table + i * sizeof(header), &header,
		       sizeof(header)))
		return false;
	*segment = (struct segment){
		.type = header.p_type,
		.offset = header.p_offset,
		.bytes = header.p_filesz,
		.align = header.p_align,
	};
	return true;
}

/*
 * Return false if the segment has no notes or cannot be read. The caller then tries
 * the next segment.
 */
static bool read_segment(const struct elf *elf, u32 i, struct segment *segment)
{
	if (!(elf->is_64 ? read_segment_64(elf, i, segment) :
			   read_segment_32(elf, i, segment)))
		return false;
	return segment->type == PT_NOTE && segment->offset < MAX_OFFSET &&
	       segment->bytes < MAX_OFFSET;
}

/* Search the notes of a segment; return the length of the id, or 0. */
static u32 find_in_notes(const struct elf *elf, const struct segment *segment,
			 u8 *id)
{
	/*
	 * Notes of 64-bit files are aligned to 4 bytes, except property notes,
	 * which are aligned to 8.
	 */
	u64 align = segment->align == 8 ? 8 : 4;
	struct note note;
	u64 at = 0, desc;
	u32 i;

	for (i = 0; i < MAX_NOTES; i++) {
		if (at + sizeof(note) > segment->bytes ||
		    !elf->read(elf->source, segment->offset + at, &note,
			       sizeof(note)))
			return 0;
		desc = ALIGN(at + sizeof(note.header) + note.header.n_namesz,
			     align);
		if (desc + note.header.n_descsz > segment->bytes)
			return 0;
		if (is_build_id(&note))
			return elf->read(elf->source, segment->offset + desc,
					 id, note.header.n_descsz) ?
			       note.header.n_descsz : 0;
		at = ALIGN(desc + note.header.n_descsz, align);
	}
	return 0;
}

/**
 * tprof_elfnote_build_id - find the build-id of an ELF file
 * @read:	reads the file
 * @source:	passed to @read
 * @id:		result, TPROF_ELFNOTE_ID_MAX bytes; bytes after the id are zeroed
 *
 * The work is bounded: the function reads at most MAX_SEGMENTS program headers, and
 * at most MAX_NOTES notes in each of the first MAX_NOTE_SEGMENTS note segments.
 *
 * Context: any in which @read may run.
 * Return: length of the id, or 0 if there is none or it cannot be read.
 */
u32 tprof_elfnote_build_id(tprof_elfnote_read_t read, void *source, u8 *id)
{
	struct elf elf = { .read = read, .source = source };
	struct segment segment;
	u32 i, bytes, nr = 0;

	memset(id, 0, TPROF_ELFNOTE_ID_MAX);
	if (!read_header(&elf))
		return 0;
	for (i = 0; i < elf.nr_segments && nr < MAX_NOTE_SEGMENTS; i++) {
		if (!read_segment(&elf, i, &segment))
			continue;
		bytes = find_in_notes(&elf, &segment, id);
		if (bytes)
			return bytes;
		nr++;
	}
	return 0;
}

/**
 * tprof_elfnote_scan - find a build-id note in memory
 * @memory:	memory, 4-byte aligned
 * @bytes:	length of @memory
 * @id:		result, TPROF_ELFNOTE_ID_MAX bytes
 *
 * A loaded module has no ELF headers in memory. But header and owner of the
 * note are 16 fixed bytes, which are specific enough to find the note.
 *
 * Return: length of the id, or 0 if there is none.
 */
u32 tprof_elfnote_scan(const void *memory, u32 bytes, u8 *id)
{
	const struct note wanted = {
		.header = {
			.n_namesz = sizeof(wanted.owner),
			.n_descsz = SHA1_BYTES,
			.n_type = NOTE_BUILD_ID,
		},
		.owner = "GNU",
	};
	u32 at;

	for (at = 0; at + sizeof(wanted) + SHA1_BYTES <= bytes; at += 4) {
		if (memcmp(memory + at, &wanted, sizeof(wanted)))
			continue;
		memcpy(id, memory + at + sizeof(wanted), SHA1_BYTES);
		return SHA1_BYTES;
	}
	return 0;
}
