/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - compute a caller's registers from its callee's registers
 *
 * The unwind rules come from .eh_frame or .debug_frame. Only 64-bit code is unwound.
 *
 * The rules of each address are cached. Code without rules is unwound by frame pointer.
 */
#ifndef TPROF_CALL_FRAME_H
#define TPROF_CALL_FRAME_H

#include <elfutils/libdw.h>

#include "perfdata/layout.h"
#include "world/frame_memory.h"

/**
 * enum frame_end - FRAME_MORE, or why a call chain has no further frame
 * @FRAME_MORE:		there is a further frame
 * @FRAME_OUTERMOST:	the frame has no caller
 * @FRAME_BEYOND_COPY:	the return address is not in the copy of the stack
 * @FRAME_NO_RULES:	the code has no unwind rules and no frame pointer, or
 *			the rules need something that is not known
 * @FRAME_NONSENSE:	the unwind rules are malformed or lead to a lower SP
 * @FRAME_NOT_BEGUN:	the sample has no 64-bit user registers
 * @FRAME_NR_ENDS:	number of these values
 */
enum frame_end {
	FRAME_MORE,
	FRAME_OUTERMOST,
	FRAME_BEYOND_COPY,
	FRAME_NO_RULES,
	FRAME_NONSENSE,
	FRAME_NOT_BEGUN,
	FRAME_NR_ENDS,
};

bool frame_begin(struct call_frame *frame, const struct sample *sample, u64 regs_mask);
enum frame_end frame_leave(struct call_frame *frame, Dwarf_Frame *rules, bool *is_signal);

#endif /* TPROF_CALL_FRAME_H */
