// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - call frame information of a binary: .eh_frame, and .debug_frame for the rest
 */
#include <unistd.h>

#include "base/elf_section.h"
#include "unwind/call_frames.h"
#include "unwind/debug_file.h"
#include "unwind/frame_entries.h"

/* The sections with the frames; the second one is packed. */
static const char *const names[] = { ".debug_frame", ".zdebug_frame" };

/* Return the next section with frames of that name after @scn, or NULL. */
static Elf_Scn *next_frames(Elf *elf, const char *name, Elf_Scn *scn)
{
	GElf_Shdr header;

	do {
		scn = elf_section_next(elf, scn, name, &header);
	} while (scn && header.sh_type == SHT_NOBITS);
	return scn;
}

static bool has_frames(Elf *elf)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		if (next_frames(elf, names[i], NULL))
			return true;
	}
	return false;
}

/* libdw has unpacked the sections already. */
static int check_debug(Elf *elf)
{
	Elf_Scn *scn;
	Elf_Data *data;
	int err = 0;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		scn = NULL;
		while (!err && (scn = next_frames(elf, names[i], scn))) {
			data = elf_rawdata(scn, NULL);
			if (data && data->d_buf)
				err = frame_entries_check(elf, data, false);
		}
	}
	return err;
}

/*
 * Use .debug_frame of a file, if it has this section. Most debug files have none: libdw would read
 * all their other sections first.
 */
static int use_debug(struct call_frames *frames, Elf *elf)
{
	int err;

	if (!has_frames(elf))
		return 0;
	frames->dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	err = frames->dwarf ? check_debug(elf) : 0;
	if (!err && frames->dwarf)
		frames->debug = dwarf_getcfi(frames->dwarf);
	return err;
}

/* The file is read, not mapped: its owner may make it shorter meanwhile. */
static int open_debug_file(struct call_frames *frames, const struct debug_search *search)
{
	frames->debug_fd = debug_file_open(search);
	if (frames->debug_fd < 0)
		return 0;
	frames->debug_elf = elf_begin(frames->debug_fd, ELF_C_READ, NULL);
	if (frames->debug_elf)
		return use_debug(frames, frames->debug_elf);
	close(frames->debug_fd);
	return 0;
}

/*
 * Open what the binary @fd has; eh_frame_check() has accepted it. The caller closes @frames in any
 * case, and @elf after that. Return 0; -EBADMSG if .debug_frame is damaged; -ENOMEM.
 */
int call_frames_open(struct call_frames *frames, int fd, Elf *elf, const struct build_id *build_id)
{
	const struct debug_search search = {
		.root = DEBUG_FILE_ROOT, .fd = fd, .elf = elf, .build_id = build_id,
	};
	int err;

	*frames = (struct call_frames){ .eh = dwarf_getcfi_elf(elf) };
	err = use_debug(frames, elf);
	return err || frames->dwarf ? err : open_debug_file(frames, &search);
}

/* Return the rules at an address and their @source, or NULL. The caller frees the rules. */
Dwarf_Frame *call_frames_find(const struct call_frames *frames, u64 addr,
			      enum unwind_source *source)
{
	Dwarf_Frame *frame = NULL;

	*source = UNWIND_EH_FRAME;
	if (frames->eh && !dwarf_cfi_addrframe(frames->eh, addr, &frame))
		return frame;
	*source = UNWIND_DEBUG_FRAME;
	if (frames->debug && !dwarf_cfi_addrframe(frames->debug, addr, &frame))
		return frame;
	return NULL;
}

void call_frames_close(struct call_frames *frames)
{
	if (frames->eh)
		dwarf_cfi_end(frames->eh);
	dwarf_end(frames->dwarf);
	if (frames->debug_elf) {
		elf_end(frames->debug_elf);
		close(frames->debug_fd);
	}
	*frames = (struct call_frames){ 0 };
}
