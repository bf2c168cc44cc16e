/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - call frame information of a binary: .eh_frame, and .debug_frame for the rest
 *
 * .debug_frame is that of the binary or of its separate debug file (debug_file.h), which must
 * have the binary's build-id and a trusted owner: it gives rules to all processes that run the
 * binary. Where both have nothing, sframe.h reads the functions of .sframe. A section .sframe
 * that is refused is a loss, unless the binary has no other source.
 */
#ifndef TPROF_CALL_FRAMES_H
#define TPROF_CALL_FRAMES_H

#include <elfutils/libdw.h>

#include "perfdata/perfdata.h"
#include "unwind/table.h"

/**
 * struct call_frames - call frame information of a binary; zero if there is none
 * @eh:		.eh_frame, or NULL
 * @debug:	.debug_frame, or NULL
 * @dwarf:	libdw's handle of the file that has .debug_frame, or NULL
 * @debug_elf:	the separate debug file, or NULL
 * @debug_fd:	its descriptor, if there is @debug_elf
 */
struct call_frames {
	Dwarf_CFI *eh;
	Dwarf_CFI *debug;
	Dwarf	*dwarf;
	Elf	*debug_elf;
	int	debug_fd;
};

int call_frames_open(struct call_frames *frames, int fd, Elf *elf,
		     const struct build_id *build_id);
Dwarf_Frame *call_frames_find(const struct call_frames *frames, u64 addr,
			      enum unwind_source *source);
void call_frames_close(struct call_frames *frames);

#endif /* TPROF_CALL_FRAMES_H */
