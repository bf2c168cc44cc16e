/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - a call chain that is gathered outside of its record
 *
 * Context: any, NMI included.
 */
#ifndef TPROF_GATHER_H
#define TPROF_GATHER_H

#include <linux/bits.h>
#include <linux/perf_event.h>
#include <linux/uaccess.h>

#include "base/params.h"
#include "chain/end.h"
#include "chain/walk.h"

/*
 * Maximum numbers of frames and of PERF_CONTEXT_* marks in a chain. A user part by tables may
 * have TPROF_WALK_MAX_MARKS more.
 */
#define TPROF_CHAIN_MAX_FRAMES	TPROF_STACK_FRAMES_MAX
#define TPROF_CHAIN_MAX_MARKS	2

/**
 * struct tprof_chain - a call chain, as PERF_SAMPLE_CALLCHAIN lays it out
 * @nr:	number of @ips
 * @ips:	addresses, the innermost first; a PERF_CONTEXT_* mark precedes
 *		each part, and in a user part by tables, see TPROF_LX_EVENT_TABLES, further
 *		marks
 */
struct tprof_chain {
	u64	nr;
	u64	ips[TPROF_CHAIN_MAX_FRAMES + TPROF_CHAIN_MAX_MARKS + TPROF_WALK_MAX_MARKS];
};

/**
 * struct tprof_gather - a call chain that is being gathered
 * @chain:	the chain
 * @left:	number of frames that may still be added
 * @may_sleep:	the walk may wait for pages of the stack
 * @needs_mark:	other chains of the session are found by tables: a mark must precede the first
 *		frame by the frame pointer
 * @end:	how the chain ends
 * @callers:	memory for the walk by tables
 */
struct tprof_gather {
	struct tprof_chain	*chain;
	u32			left;
	bool			may_sleep;
	bool			needs_mark;
	struct tprof_chain_end	end;
	struct tprof_walk	callers;
};

static inline void tprof_gather_mark(struct tprof_gather *gather, u64 mark)
{
	gather->chain->ips[gather->chain->nr++] = mark;
}

/* Return true if one more frame may be added; else count the chain as cut. */
static inline bool tprof_gather_has_room(struct tprof_gather *gather)
{
	if (likely(gather->left))
		return true;
	gather->end.cuts |= BIT(TPROF_CHAIN_DEEP);
	return false;
}

static inline bool tprof_gather_frame(struct tprof_gather *gather, unsigned long ip)
{
	if (!tprof_gather_has_room(gather))
		return false;
	gather->left--;
	gather->chain->ips[gather->chain->nr++] = ip;
	return true;
}

/*
 * Read memory of the user, and wait for its page. Not inline, so that the lint nmi finds the
 * calls of this function, which do not happen in an NMI.
 */
bool tprof_gather_wait(void *to, unsigned long at, size_t bytes);

#endif /* TPROF_GATHER_H */
