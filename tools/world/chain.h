/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - find the call chain of a sample, with symbols
 *
 * The frames that the kernel recorded come first. If they have no user frames, these are
 * unwound from the sample's registers and its copy of the stack, if it has them.
 */
#ifndef TPROF_CHAIN_H
#define TPROF_CHAIN_H

#include "world/call_frame.h"
#include "world/world.h"

/* Maximum number of frames to unwind, the same as in perf. */
#define UNWIND_MAX	127

/*
 * Maximum number of recorded frames, larger than the default of
 * kernel.perf_event_max_stack (127). The size of a tree with the callers of each frame
 * grows with the square of this.
 */
#define RECORDED_MAX	1024
#define CHAIN_MAX	(RECORDED_MAX + UNWIND_MAX)

/* Capacity for CHAIN_MAX inlined frames too; further inlined frames are left out. */
#define FRAMES_MAX	(2 * CHAIN_MAX)

/**
 * struct chain - a call chain
 * @frames:	array of FRAMES_MAX frames, innermost first
 * @nr:		number of frames
 * @ends:	number of chains so far by the reason that they ended for; recorded
 *		chains count only if they were truncated at RECORDED_MAX
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
