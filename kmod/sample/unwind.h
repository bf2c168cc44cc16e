/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - call chains: the callers of the interrupted code
 *
 * The kernel's unwinder walks the kernel part of a chain; frame pointers lead
 * through the user part. An NMI cannot wait for a page, so user memory that is not
 * present ends a chain.
 *
 * Context: tprof_unwind() runs in any context, NMI included. No locks, no allocation;
 * one loop for each part, bounded by the maximum number of frames.
 */
#ifndef TPROF_UNWIND_H
#define TPROF_UNWIND_H

#include <linux/bits.h>
#include <linux/types.h>

#include "base/params.h"

struct pt_regs;

/* Maximum numbers of frames and of PERF_CONTEXT_* marks in a chain. */
#define TPROF_UNWIND_MAX_FRAMES	TPROF_STACK_FRAMES_MAX
#define TPROF_UNWIND_MAX_MARKS	2

/**
 * enum tprof_unwind_cut - why a chain lacks frames
 * @TPROF_UNWIND_DEEP: the chain reached its maximum number of frames
 * @TPROF_UNWIND_ABSENT: a frame of the user is in memory that is not present
 * @TPROF_UNWIND_LOST: the kernel's unwinder could not continue
 */
enum tprof_unwind_cut {
	TPROF_UNWIND_DEEP,
	TPROF_UNWIND_ABSENT,
	TPROF_UNWIND_LOST,
};

/**
 * struct tprof_unwind_limits - parts and length of a chain
 * @frames:	maximum number of frames; 0 for no chain
 * @kernel:	include frames of the kernel
 * @user:	include frames of the user
 * @deferred:	let the task complete the chain if a user frame is not present
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
 * @absent_at:	with TPROF_UNWIND_ABSENT: address of the frame that is not present, or 0
 *		if this address is not on the stack
 */
struct tprof_unwind_end {
	u32		cuts;
	unsigned long	absent_at;
};

/**
 * struct tprof_chain - a call chain, as PERF_SAMPLE_CALLCHAIN lays it out
 * @nr:	number of @ips
 * @ips:	addresses, the innermost first; a PERF_CONTEXT_* mark precedes
 *		each part
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
u64 *tprof_unwind_in_place(const struct tprof_unwind_limits *limits, u64 *field,
			   const struct pt_regs *user,
			   struct tprof_unwind_end *end);
unsigned long tprof_unwind_user(struct tprof_chain *chain, u32 frames,
				const struct pt_regs *user);
struct pt_regs *tprof_unwind_user_regs(struct pt_regs *regs);
bool tprof_unwind_is_64bit(const struct pt_regs *regs);

#endif /* TPROF_UNWIND_H */
