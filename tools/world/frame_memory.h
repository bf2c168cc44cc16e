/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - what a sample has of a function's registers and memory
 *
 * All that is known of the process is its registers and a copy of the top of its
 * stack.
 */
#ifndef TPROF_FRAME_MEMORY_H
#define TPROF_FRAME_MEMORY_H

#include "base/types.h"

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

bool frame_read(const struct call_frame *frame, u64 addr, size_t len, u64 *value);

#endif /* TPROF_FRAME_MEMORY_H */
