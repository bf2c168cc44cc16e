// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - call chains: the callers of the interrupted code
 */
#include <linux/err.h>
#include <linux/preempt.h>

#include "chain/by_kernel.h"
#include "chain/chain.h"
#include "chain/scratch.h"

/**
 * tprof_chain_prepare - allocate what the chains of an event need
 * @plan:	of the event
 * @tables:	unwind tables of the session, for TPROF_CHAIN_BY_TABLES
 *
 * Context: process, may sleep.
 * Return: 0 or -ENOMEM.
 */
int tprof_chain_prepare(struct tprof_chain_plan *plan, struct tprof_tables *tables)
{
	struct tprof_walker *walker;
	int err;

	if (!plan->frames)
		return 0;
	err = tprof_scratch_get();
	if (err || plan->way != TPROF_CHAIN_BY_TABLES)
		return err;
	walker = tprof_walker_alloc(tables);
	if (IS_ERR(walker)) {
		tprof_scratch_put();
		return PTR_ERR(walker);
	}
	plan->walker = walker;
	return 0;
}

/**
 * tprof_chain_release - undo tprof_chain_prepare()
 * @plan:	of an event that can no longer overflow
 *
 * Context: process, may sleep.
 */
void tprof_chain_release(struct tprof_chain_plan *plan)
{
	tprof_walker_free(plan->walker);
	if (plan->frames)
		tprof_scratch_put();
}

/**
 * tprof_chain_max_words - return the length of the longest chain of an event
 * @plan:	of the event
 *
 * Return: words of PERF_SAMPLE_CALLCHAIN.
 */
u32 tprof_chain_max_words(const struct tprof_chain_plan *plan)
{
	u32 marks = TPROF_CHAIN_MAX_MARKS;

	if (plan->way == TPROF_CHAIN_BY_TABLES)
		marks += TPROF_WALK_MAX_MARKS;
	return 1 + plan->frames + marks;
}

/**
 * tprof_chain_gather - collect a call chain
 * @plan:	parts, length and way of the chain
 * @regs:	interrupted registers; or those of a running function, as of
 *		perf_fetch_caller_regs(): an address in it, the frame of a function that
 *		it called, the kernel's code segment, and otherwise zero
 * @end:	result: how the chain ends
 *
 * Context: any, NMI included, not preemptible.
 * Return: the chain, valid until the next call on this CPU in this context.
 */
const struct tprof_chain *
tprof_chain_gather(const struct tprof_chain_plan *plan, struct pt_regs *regs,
		   struct tprof_chain_end *end)
{
	struct tprof_gather *gather = tprof_scratch_here();
	bool has_tables = plan->way == TPROF_CHAIN_BY_TABLES;
	const struct pt_regs *user;

	gather->left = plan->frames;
	gather->may_sleep = false;
	gather->needs_mark = has_tables;
	gather->end = (struct tprof_chain_end){};
	gather->chain->nr = 0;
	if (plan->kernel && !user_mode(regs))
		tprof_by_kernel_gather(gather, regs);
	user = plan->way != TPROF_CHAIN_NO_USER ? tprof_user_regs(regs) : NULL;
	if (user && has_tables && tprof_user_is_64bit(user))
		tprof_by_tables_gather(gather, plan->walker, user, user_mode(regs) && !in_task());
	else if (user)
		tprof_by_frames_gather(gather, user);
	*end = gather->end;
	return gather->chain;
}

/**
 * tprof_chain_complete - collect the user part of a chain, and wait for pages of the stack
 * @chain:	result
 * @frames:	maximum number of frames
 * @user:	user registers of this task
 * @tables:	tables by which the chains of the session are found, or NULL
 *
 * Context: process, may sleep.
 * Return: how the chain ends.
 */
struct tprof_chain_end tprof_chain_complete(struct tprof_chain *chain, u32 frames,
					    const struct pt_regs *user,
					    struct tprof_tables *tables)
{
	if (tables && tprof_user_is_64bit(user))
		return tprof_by_tables_complete(chain, frames, user, tables);
	return tprof_by_frames_complete(chain, frames, user, tables);
}

/**
 * tprof_chain_check_end - complete @end after tprof_chain_write()
 * @end:	how the chain ends; @absent_at is set to 0 if it is not on the stack
 * @user:	registers of the user
 *
 * Context: any, NMI included.
 */
void tprof_chain_check_end(struct tprof_chain_end *end, const struct pt_regs *user)
{
	if (!tprof_user_is_stack(user->sp, end->absent_at, true))
		end->absent_at = 0;
}
