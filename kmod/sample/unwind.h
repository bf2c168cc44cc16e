/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - call chains: who called the code that was interrupted
 *
 * The kernel's part by the kernel's own unwinder, the user's by its frame
 * pointers. Both in NMI: memory of the user that is not present ends a chain.
 *
 * Context: tprof_unwind() in any, NMI included. No locks, no allocation, one
 * loop for each part, bounded by the depth.
 */
#ifndef TPROF_UNWIND_H
#define TPROF_UNWIND_H

#include <linux/bits.h>
#include <linux/types.h>

#include "base/params.h"

struct pt_regs;

/* As many frames as a chain may have, and the marks between its parts. */
#define TPROF_UNWIND_MAX_FRAMES	TPROF_STACK_FRAMES_MAX
#define TPROF_UNWIND_MAX_MARKS	2

/**
 * enum tprof_unwind_cut - why a chain has not got all frames
 * @TPROF_UNWIND_DEEP:	there were more than it may have
 * @TPROF_UNWIND_ABSENT: a frame of the user's was in memory that is not present
 * @TPROF_UNWIND_LOST:	the kernel's unwinder did not know how to go on
 */
enum tprof_unwind_cut {
	TPROF_UNWIND_DEEP,
	TPROF_UNWIND_ABSENT,
	TPROF_UNWIND_LOST,
};

/**
 * struct tprof_unwind_limits - what of a chain is wanted
 * @frames:	how many; 0 for no chain
 * @kernel:	those of the kernel
 * @user:	those of the user
 * @deferred:	those of the user that are not present, deferred
 */
struct tprof_unwind_limits {
	u32	frames;
	bool	kernel;
	bool	user;
	bool	deferred;
};

/**
 * struct tprof_unwind_end - how a chain ended
 * @cuts:	bits of enum tprof_unwind_cut
 * @absent_at:	of TPROF_UNWIND_ABSENT: where, or 0 if it is nowhere in the stack
 */
struct tprof_unwind_end {
	u32		cuts;
	unsigned long	absent_at;
};

/**
 * struct tprof_chain - a call chain, as PERF_SAMPLE_CALLCHAIN lays it out
 * @nr:		entries
 * @ips:	addresses, the innermost first, behind a PERF_CONTEXT_* each time
 *		that what follows is another's
 */
struct tprof_chain {
	u64	nr;
	u64	ips[TPROF_UNWIND_MAX_FRAMES + TPROF_UNWIND_MAX_MARKS];
};

int tprof_unwind_get(void);
void tprof_unwind_put(void);

const struct tprof_chain *
tprof_unwind(const struct tprof_unwind_limits *limits, struct pt_regs *regs,
	     struct tprof_unwind_end *end);
unsigned long tprof_unwind_user(struct tprof_chain *chain, u32 frames,
				const struct pt_regs *user);
struct pt_regs *tprof_unwind_user_regs(struct pt_regs *regs);
bool tprof_unwind_is_64bit(const struct pt_regs *regs);

#endif /* TPROF_UNWIND_H */
