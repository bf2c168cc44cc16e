/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - check the instructions of call frame information
 *
 * A binary is refused as damaged if one of its descriptions remembers more than 64 states at a
 * time, has a rule for a register above 63, or has an instruction that compilers for x86-64 do
 * not write.
 */
#ifndef TPROF_FRAME_PROGRAM_H
#define TPROF_FRAME_PROGRAM_H

#include "base/types.h"

#include <stdbool.h>

/*
 * Rules must be for registers below this one; compilers need 33. So many states may be remembered
 * at a time; compilers need 2.
 */
#define FRAME_MAX_REGISTERS	64
#define FRAME_MAX_STATES	64

/**
 * struct frame_program - instructions
 * @at:		the next one
 * @end:	end of the last one
 */
struct frame_program {
	const u8 *at;
	const u8 *end;
};

bool frame_program_take_number(struct frame_program *program, u64 *number);
bool frame_program_skip(struct frame_program *program, u64 len);
bool frame_program_is_modest(struct frame_program program);

#endif /* TPROF_FRAME_PROGRAM_H */
