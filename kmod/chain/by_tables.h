/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the user part of a call chain by unwind tables
 *
 * Context: see each function.
 */
#ifndef TPROF_BY_TABLES_H
#define TPROF_BY_TABLES_H

#include <linux/compiler.h>
#include <linux/perf_event.h>
#include <linux/ptrace.h>
#include <linux/types.h>

#include "chain/end.h"
#include "chain/gather.h"
#include "chain/walker.h"

/**
 * tprof_by_tables_write - do the same as tprof_by_frames_write(), by unwind tables
 * @walker:	walker of the event
 * @frames:	maximum number of frames
 * @field:	result: PERF_SAMPLE_CALLCHAIN, at most TPROF_WALK_MAX_MARKS more words
 * @user:	interrupted registers, of user mode
 * @end:	result, zero before the call: how the chain ends
 *
 * Context: NMI.
 * Return: one past the last word written.
 */
static __always_inline u64 *
tprof_by_tables_write(const struct tprof_walker *walker, u32 frames, u64 *field,
		      const struct pt_regs *user, struct tprof_chain_end *end)
{
	const u64 *last = field + 2 + frames;
	u64 *nr = field, *next;

	field[1] = PERF_CONTEXT_USER;
	field[2] = user->ip;
	next = tprof_walker_walk_whole(walker, field + 3, last, user);
	if (unlikely(!next))
		next = tprof_walker_walk_in_place(walker, field + 3, last, user, end);
	*nr = next - nr - 1;
	return next;
}

void tprof_by_tables_gather(struct tprof_gather *gather, const struct tprof_walker *walker,
			    const struct pt_regs *user, bool may_defer);
unsigned long tprof_by_tables_complete(struct tprof_chain *chain, u32 frames,
				       const struct pt_regs *user, struct tprof_tables *tables);

#endif /* TPROF_BY_TABLES_H */
