// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the user part of a call chain by unwind tables
 *
 * Context: see each function.
 */
#include <linux/preempt.h>
#include <linux/sched.h>

#include "base/user.h"
#include "chain/by_frames.h"
#include "chain/by_tables.h"
#include "chain/user_regs.h"

/* How often a walk is repeated after it has waited for a page of the stack. */
#define MAX_WAITS	64

/**
 * tprof_by_tables_gather - add the frames of user code by tables
 * @gather:	the chain
 * @walker:	walker of the event
 * @user:	user registers of this task, of 64-bit code
 * @may_defer:	the task can complete the chain
 *
 * If the mappings of the process are not known, a sample that cannot be deferred follows frame
 * pointers, as if no file had a table yet, and a worker learns the mappings.
 *
 * Context: any, NMI included, not preemptible.
 */
void tprof_by_tables_gather(struct tprof_gather *gather, const struct tprof_walker *walker,
			    const struct pt_regs *user, bool may_defer)
{
	/* Racy reads: see tprof_user_regs(). */
	unsigned long ip = data_race(user->ip), sp = data_race(user->sp);
	struct tprof_chain *chain = gather->chain;
	u32 begun = chain->nr;
	u64 *next;

	if (!tprof_gather_has_room(gather))
		return;
	tprof_gather_mark(gather, PERF_CONTEXT_USER);
	tprof_gather_frame(gather, ip);
	next = tprof_walker_walk(walker, &gather->callers, chain->ips + chain->nr,
				 chain->ips + chain->nr + gather->left, user, &gather->end);
	chain->nr = next - chain->ips;
	if (!(gather->end.cuts & BIT(TPROF_CHAIN_UNMAPPED))) {
		if (!tprof_user_is_stack(sp, gather->end.absent_at, true))
			gather->end.absent_at = 0;
		return;
	}
	if (may_defer)
		return;
	tprof_tables_want(walker->tables);
	gather->end.cuts &= ~BIT(TPROF_CHAIN_UNMAPPED);
	gather->end.absent_at = 0;
	gather->left++;
	chain->nr = begun;
	tprof_by_frames_gather(gather, user);
	gather->end.cuts |= BIT(TPROF_CHAIN_TABLELESS);
}

/*
 * Walk by tables. Preemption is off meanwhile, as another task may replace the mappings of
 * the process. So the walk cannot wait for pages.
 */
static void walk_now(struct tprof_gather *gather, const struct tprof_walker *walker,
		     const struct pt_regs *user, u32 frames)
{
	gather->chain->nr = 0;
	gather->left = frames;
	gather->end = (struct tprof_chain_end){};
	preempt_disable();
	tprof_by_tables_gather(gather, walker, user, true);
	preempt_enable();
}

/**
 * tprof_by_tables_complete - do the same as tprof_by_frames_complete(), by unwind tables
 * @chain:	result
 * @frames:	maximum number of frames
 * @user:	user registers of this task, of 64-bit code
 *
 * If the mappings of the process are not known, this learns them. A walk that ends at a page
 * that is not present is repeated when the page was read.
 *
 * Context: process, may sleep.
 * Return: how the chain ends.
 */
struct tprof_chain_end tprof_by_tables_complete(struct tprof_chain *chain, u32 frames,
						const struct pt_regs *user,
						struct tprof_tables *tables)
{
	const struct tprof_walker walker = { .tables = tables };
	struct tprof_gather gather = { .chain = chain };
	unsigned long word;
	u32 waits;

	walk_now(&gather, &walker, user, frames);
	if (gather.end.cuts & BIT(TPROF_CHAIN_UNMAPPED)) {
		tprof_spaces_learn(&tables->spaces, current->mm, tprof_user_of_current(),
				   tprof_spaces_are_known(&tables->spaces, current->mm));
		walk_now(&gather, &walker, user, frames);
	}
	/* Without memory for the mappings, frame pointers remain. */
	if (gather.end.cuts & BIT(TPROF_CHAIN_UNMAPPED))
		return tprof_by_frames_complete(chain, frames, user, true);
	for (waits = 0; gather.end.absent_at && waits < MAX_WAITS; waits++) {
		if (!tprof_gather_wait(&word, gather.end.absent_at, sizeof(word)))
			break;
		walk_now(&gather, &walker, user, frames);
	}
	return gather.end;
}
