/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - from a function's registers to those of its caller
 *
 * By the rules that compilers leave in .eh_frame and .debug_frame, for code of
 * 64 bits. All that is known of the process is its registers and a copy of the
 * top of its stack.
 */
#ifndef TPROF_CALL_FRAME_H
#define TPROF_CALL_FRAME_H

#include <elfutils/libdw.h>

#include "perfdata/layout.h"

/* By DWARF's numbers: sixteen general ones, and where the code is. */
#define FRAME_REGS	17
#define FRAME_BP	6
#define FRAME_SP	7
#define FRAME_IP	16

/**
 * struct call_frame - a function that was called and has not returned
 * @regs:	its registers, by DWARF's numbers
 * @known:	a bit for each that is known
 * @stack:	a copy of the stack
 * @stack_base:	where it was
 * @stack_size:	its bytes
 */
struct call_frame {
	u64	regs[FRAME_REGS];
	u32	known;
	const u8 *stack;
	u64	stack_base;
	u64	stack_size;
};

/**
 * enum frame_end - why a call chain has no further frame
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
bool frame_read(const struct call_frame *frame, u64 addr, size_t len, u64 *value);
enum frame_end frame_leave(struct call_frame *frame, Dwarf_Frame *rules, bool *is_signal);

#endif /* TPROF_CALL_FRAME_H */
