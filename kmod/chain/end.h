/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - how a call chain ended
 */
#ifndef TPROF_CHAIN_END_H
#define TPROF_CHAIN_END_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include "kernel.h"
#endif

/**
 * enum tprof_chain_cut - why a chain lacks frames
 * @TPROF_CHAIN_DEEP: the chain reached its maximum number of frames
 * @TPROF_CHAIN_ABSENT: a frame of the user is in memory that is not present
 * @TPROF_CHAIN_LOST: the kernel's unwinder could not continue
 * @TPROF_CHAIN_RULE: a table has no rule for the code, or its rule needs a register whose
 *		value is not known
 * @TPROF_CHAIN_ASTRAY: the stack pointer did not grow, a return address was in no executable
 *		mapping, or there were too many signal frames
 * @TPROF_CHAIN_UNMAPPED: the mappings of the process are not known
 * @TPROF_CHAIN_TABLELESS: code of a file that may still get a table was followed by the frame
 *		pointer
 */
enum tprof_chain_cut {
	TPROF_CHAIN_DEEP,
	TPROF_CHAIN_ABSENT,
	TPROF_CHAIN_LOST,
	TPROF_CHAIN_RULE,
	TPROF_CHAIN_ASTRAY,
	TPROF_CHAIN_UNMAPPED,
	TPROF_CHAIN_TABLELESS,
};

/**
 * struct tprof_chain_end - how a chain ended
 * @cuts:	bits of enum tprof_chain_cut
 * @absent_at:	with TPROF_CHAIN_ABSENT: address of the frame that is not present; 0 if
 *		tprof_chain_check_end() found that the address is not on the stack. With
 *		TPROF_CHAIN_UNMAPPED: the stack pointer
 */
struct tprof_chain_end {
	u32		cuts;
	unsigned long	absent_at;
};

#endif /* TPROF_CHAIN_END_H */
