/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - how a call chain ended
 */
#ifndef TPROF_END_H
#define TPROF_END_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include "kernel.h"
#endif

/**
 * enum tprof_unwind_cut - why a chain lacks frames
 * @TPROF_UNWIND_DEEP: the chain reached its maximum number of frames
 * @TPROF_UNWIND_ABSENT: a frame of the user is in memory that is not present
 * @TPROF_UNWIND_LOST: the kernel's unwinder could not continue
 * @TPROF_UNWIND_RULE: a table has no rule for the code, or its rule needs a register whose
 *		value is not known
 * @TPROF_UNWIND_ASTRAY: the stack pointer did not grow, or there were too many signal frames
 * @TPROF_UNWIND_UNMAPPED: the mappings of the process are not known
 */
enum tprof_unwind_cut {
	TPROF_UNWIND_DEEP,
	TPROF_UNWIND_ABSENT,
	TPROF_UNWIND_LOST,
	TPROF_UNWIND_RULE,
	TPROF_UNWIND_ASTRAY,
	TPROF_UNWIND_UNMAPPED,
};

/**
 * struct tprof_unwind_end - how a chain ended
 * @cuts:	bits of enum tprof_unwind_cut
 * @absent_at:	with TPROF_UNWIND_ABSENT: address of the frame that is not present; 0 if
 *		tprof_unwind_end_in_place() found that the address is not on the stack. With
 *		TPROF_UNWIND_UNMAPPED: the stack pointer
 */
struct tprof_unwind_end {
	u32		cuts;
	unsigned long	absent_at;
};

#endif /* TPROF_END_H */
