/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the call chain of a sample, with symbols
 *
 * The frames that the kernel recorded come first. User frames are then unwound
 * from the sample's registers and its copy of the stack, if it has them.
 */
#ifndef TPROF_CHAIN_H
#define TPROF_CHAIN_H

#include "world/call_frame.h"
#include "world/world.h"

/* perf unwinds as many frames. */
#define UNWIND_MAX	127

/*
 * Larger than the default of kernel.perf_event_max_stack (127). A tree of the
 * callers of each frame grows with the square of this.
 */
#define RECORDED_MAX	1024
#define CHAIN_MAX	(RECORDED_MAX + UNWIND_MAX)

/* Room for as many inlined frames; more than that are left out. */
#define FRAMES_MAX	(2 * CHAIN_MAX)

/**
 * struct chain - a call chain
 * @frames:	innermost first; room for FRAMES_MAX
 * @nr:		number of frames
 * @ends:	number of chains so far that ended for each reason; recorded chains
 *		that were not cut at RECORDED_MAX are not counted
 */
struct chain {
	struct spot *frames;
	int	nr;
	u64	ends[FRAME_NR_ENDS];
};

int chain_init(struct chain *chain);
int chain_find(struct chain *chain, struct world *world, const struct perf_event_attr *attr,
	       const struct sample *sample, bool is_kernel);
void chain_free(struct chain *chain);

#endif /* TPROF_CHAIN_H */
