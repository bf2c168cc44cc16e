/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - read the registers and the stack memory of a frame
 *
 * A sample holds the registers of the task and a copy of the top of its stack.
 */
#ifndef TPROF_FRAME_MEMORY_H
#define TPROF_FRAME_MEMORY_H

#include "base/types.h"

/* DWARF register numbers: 16 general registers and the return address. */
#define FRAME_REGS	17
#define FRAME_BP	6
#define FRAME_SP	7
#define FRAME_IP	16

/**
 * struct call_frame - one frame of a call chain
 * @regs:	registers, indexed by DWARF number
 * @known:	bitmap of the known @regs
 * @stack:	copy of the top of the task's stack
 * @stack_base:	address that @stack was copied from
 * @stack_size:	bytes in @stack
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
