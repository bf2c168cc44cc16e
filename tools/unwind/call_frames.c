// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - call frame information of a binary: .eh_frame, and .debug_frame for the rest
 */
#include <string.h>
#include <unistd.h>

#include "unwind/call_frames.h"
#include "unwind/debug_file.h"

/* Most debug files have no .debug_frame. libdw would read all their other sections first. */
static bool has_frames(Elf *elf)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr header;
	const char *name;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return false;
	while ((scn = elf_nextscn(elf, scn))) {
		if (!gelf_getshdr(scn, &header) || header.sh_type == SHT_NOBITS)
			continue;
		name = elf_strptr(elf, names, header.sh_name);
		if (name && (!strcmp(name, ".debug_frame") || !strcmp(name, ".zdebug_frame")))
			return true;
	}
	return false;
}

/* Use .debug_frame of a file, if it has this section. */
static void use_debug(struct call_frames *frames, Elf *elf)
{
	if (!has_frames(elf))
		return;
	frames->dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	frames->debug = frames->dwarf ? dwarf_getcfi(frames->dwarf) : NULL;
}

/* The file is read, not mapped: its owner may make it shorter meanwhile. */
static void open_debug_file(struct call_frames *frames, const struct debug_search *search)
{
	frames->debug_fd = debug_file_open(search);
	if (frames->debug_fd < 0)
		return;
	frames->debug_elf = elf_begin(frames->debug_fd, ELF_C_READ, NULL);
	if (frames->debug_elf)
		use_debug(frames, frames->debug_elf);
	else
		close(frames->debug_fd);
}

/* Open what the binary @fd has. The caller closes @frames in any case, and @elf after that. */
void call_frames_open(struct call_frames *frames, int fd, Elf *elf,
		      const struct build_id *build_id)
{
	const struct debug_search search = {
		.root = DEBUG_FILE_ROOT, .fd = fd, .elf = elf, .build_id = build_id,
	};

	*frames = (struct call_frames){ .eh = dwarf_getcfi_elf(elf) };
	use_debug(frames, elf);
	if (!frames->dwarf)
		open_debug_file(frames, &search);
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
