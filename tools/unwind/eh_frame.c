// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - check .eh_frame of a binary
 *
 * libdw finds it by the section of that name; in a binary without such a section, by the segment
 * of .eh_frame_hdr.
 */
#include <dwarf.h>
#include <errno.h>
#include <gelf.h>

#include "base/elf_section.h"
#include "base/load.h"
#include "unwind/eh_frame.h"
#include "unwind/frame_entries.h"

/* Offsets in .eh_frame_hdr, of bytes: the encoding of the next word, and of the search table. */
enum {
	VERSION,
	FRAMES_ENCODING,
	COUNT_ENCODING,
	TABLE_ENCODING,
	FRAMES,
	HEADER_BYTES = FRAMES + 4,
};

/* Let libdw see no search table. It also takes no other encoding than that of all linkers. */
static bool prune_header(char *image, size_t size, u64 offset)
{
	u8 *header = (u8 *)image + offset;

	if (offset > size || size - offset < HEADER_BYTES)
		return false;
	header[COUNT_ENCODING] = DW_EH_PE_omit;
	header[TABLE_ENCODING] = DW_EH_PE_omit;
	if (header[FRAMES_ENCODING] != (DW_EH_PE_pcrel | DW_EH_PE_sdata4))
		header[VERSION] = 0;
	return header[VERSION] == 1;
}

/* Check up to the end of the file: only entries themselves say where they end. */
static int check_segment(Elf *elf, char *image, size_t size, const GElf_Phdr *segment)
{
	u64 offset = segment->p_offset;
	Elf_Data data = { .d_type = ELF_T_BYTE, .d_version = EV_CURRENT };

	if (!prune_header(image, size, offset))
		return 0;
	offset += FRAMES + (s64)(s32)load_u32(image + offset + FRAMES);
	if (offset >= size)
		return 0;
	data.d_buf = image + offset;
	data.d_size = size - offset;
	return frame_entries_check(elf, &data, true);
}

static int check_segments(Elf *elf, char *image, size_t size)
{
	GElf_Phdr segment;
	size_t nr, i;
	int err = 0;

	if (elf_getphdrnum(elf, &nr))
		return -EBADMSG;
	for (i = 0; i < nr && !err; i++) {
		if (gelf_getphdr(elf, i, &segment) && segment.p_type == PT_GNU_EH_FRAME)
			err = check_segment(elf, image, size, &segment);
	}
	return err;
}

/* Check the sections. Set *@is_found if there is one. */
static int check_sections(Elf *elf, char *image, size_t size, bool *is_found)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr header;
	Elf_Data *data;
	int err = 0;

	while ((scn = elf_section_next(elf, scn, ".eh_frame_hdr", &header)))
		prune_header(image, size, header.sh_offset);
	while (!err && (scn = elf_section_next(elf, scn, ".eh_frame", &header))) {
		*is_found = true;
		data = elf_rawdata(scn, NULL);
		if (data && data->d_buf)
			err = frame_entries_check(elf, data, true);
	}
	return err;
}

/*
 * Check what libdw will read, in @image, the memory of @elf, which has @size bytes. Remove the
 * search table. Return 0; -EBADMSG if it is damaged; -ENOMEM.
 */
int eh_frame_check(Elf *elf, char *image, size_t size)
{
	bool is_found = false;
	int err = check_sections(elf, image, size, &is_found);

	return err || is_found ? err : check_segments(elf, image, size);
}
