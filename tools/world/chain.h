/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the call chain of a sample, looked up
 *
 * What the kernel recorded of it, and behind that what registers and a copy of
 * the stack tell of user mode, where a sample has them.
 */
#ifndef TPROF_CHAIN_H
#define TPROF_CHAIN_H

#include "world/call_frame.h"
#include "world/world.h"

/* As many frames as perf unwinds. */
#define UNWIND_MAX	127

/*
 * More than any kernel records unless it is told to; a tree of the callers of
 * each frame grows with the square of this.
 */
#define RECORDED_MAX	1024
#define CHAIN_MAX	(RECORDED_MAX + UNWIND_MAX)

/* Room for as many again that were inlined; what is more of those is left out. */
#define FRAMES_MAX	(2 * CHAIN_MAX)

/**
 * struct chain - a call chain
 * @frames:	innermost first, with room for all there can be
 * @nr:		how many
 * @ends:	of all chains, how many ended so; those that were recorded and are
 *		whole are not counted
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
