/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - find the call chain of a sample
 *
 * A chain begins with the frames that were recorded. If there is no user frame among
 * them, and the sample has user registers and a copy of the user stack, the user frames
 * are unwound from these.
 *
 * A return address may lie in the next function, so the byte before it is looked up. Chains
 * that ended early are counted by reason.
 */
#ifndef TPROF_CHAIN_H
#define TPROF_CHAIN_H

#include "world/call_frame.h"
#include "world/world.h"

/* Maximum number of frames to unwind, the same as in perf. */
#define UNWIND_MAX	127

/*
 * Maximum number of recorded frames; further frames are left out. It is larger than
 * the default of kernel.perf_event_max_stack (127). It limits the memory: a tree
 * with the callers of each of n frames has about n^2 / 2 nodes.
 */
#define RECORDED_MAX	1024
#define CHAIN_MAX	(RECORDED_MAX + UNWIND_MAX)

/*
 * add_frame() adds inlined frames only to a chain with fewer than CHAIN_MAX frames.
 * At most CHAIN_MAX other frames can follow.
 */
#define FRAMES_MAX	(2 * CHAIN_MAX)

/**
 * struct chain - a call chain
 * @frames:	array of FRAMES_MAX frames, innermost first
 * @nr:		number of frames
 * @ends:	number of unwound chains so far, by the reason why they ended;
 *		FRAME_MORE also counts recorded chains that were truncated at
 *		RECORDED_MAX
 */
struct chain {
	struct spot *frames;
	int	nr;
	u64	ends[FRAME_NR_ENDS];
};

int chain_init(struct chain *chain);
int chain_locate(struct chain *chain, struct world *world, const struct perf_event_attr *attr,
		 const struct sample *sample, bool is_kernel);
int chain_find(struct chain *chain, struct world *world, const struct perf_event_attr *attr,
	       const struct sample *sample, bool is_kernel);
void chain_free(struct chain *chain);

#endif /* TPROF_CHAIN_H */
