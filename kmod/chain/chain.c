// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - call chains: the callers of the interrupted code
 *
 * A chain is gathered before its record is begun, because tprof_lane_begin() needs
 * the length. Until then, the chain is in scratch memory of this CPU. The memory has
 * one chain for each context, because one context can interrupt another. An NMI that
 * interrupted 64-bit user code needs no scratch memory: it writes the frames into
 * the record (tprof_chain_write()).
 */
#include <linux/err.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/preempt.h>
#include <linux/sched.h>

#include <asm/unwind.h>

#include "base/gfp.h"
#include "chain/chain.h"

/*
 * Number of values of interrupt_context_level(): task, softirq, hard interrupt, NMI.
 */
#define NR_LEVELS	4

/**
 * struct scratch - memory for the chains of a CPU, for each context
 * @chains:	the chain
 * @gathers:	what gathers it; not on the stack, of which an NMI has little
 */
struct scratch {
	struct tprof_chain	chains[NR_LEVELS];
	struct tprof_gather	gathers[NR_LEVELS];
};

/* Protects @scratches and @nr_users. Taken inside the session lock. */
static DEFINE_MUTEX(scratch_lock);
static struct scratch __percpu *scratches;
static u32 nr_users;

/* Take a reference to the scratch memory. The first user allocates it. */
static int get_scratch(void)
{
	guard(mutex)(&scratch_lock);
	if (!nr_users) {
		scratches = alloc_percpu_gfp(struct scratch, TPROF_GFP);
		if (!scratches)
			return -ENOMEM;
	}
	nr_users++;
	return 0;
}

/* Drop a reference to the scratch memory. The last one frees it. */
static void put_scratch(void)
{
	guard(mutex)(&scratch_lock);
	if (--nr_users)
		return;
	free_percpu(scratches);
	scratches = NULL;
}

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
	err = get_scratch();
	if (err || plan->way != TPROF_CHAIN_BY_TABLES)
		return err;
	walker = tprof_walker_alloc(tables);
	if (IS_ERR(walker)) {
		put_scratch();
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
		put_scratch();
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

static void gather_kernel(struct tprof_gather *gather, struct pt_regs *regs)
{
	struct unwind_state state;
	/* If the CPU saved the registers, this bit is set, as perf expects, too. */
	bool is_saved = regs->flags & X86_EFLAGS_FIXED;
	unsigned long ip;

	tprof_gather_mark(gather, PERF_CONTEXT_KERNEL);
	tprof_gather_frame(gather, regs->ip);
	/*
	 * Early in the entry code, the stack is still the user's and has no kernel
	 * frames.
	 */
	if (regs->sp < TASK_SIZE_MAX)
		return;
	/*
	 * Skip the frame of @regs, which the chain already has. unwind_start() does that
	 * if it is passed saved registers.
	 */
	unwind_start(&state, current, is_saved ? regs : NULL,
		     is_saved ? NULL : (unsigned long *)regs->sp);
	if (!is_saved && unwind_get_return_address(&state) == regs->ip)
		unwind_next_frame(&state);
	for (; !unwind_done(&state); unwind_next_frame(&state)) {
		ip = unwind_get_return_address(&state);
		if (!ip)
			break;
		if (!tprof_gather_frame(gather, ip))
			return;
	}
	if (unwind_error(&state))
		gather->end.cuts |= BIT(TPROF_CHAIN_LOST);
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
	struct scratch *scratch = this_cpu_ptr(scratches);
	u8 level = interrupt_context_level();
	struct tprof_gather *gather = &scratch->gathers[level];
	bool has_tables = plan->way == TPROF_CHAIN_BY_TABLES;
	const struct pt_regs *user;

	gather->chain = &scratch->chains[level];
	gather->left = plan->frames;
	gather->may_sleep = false;
	gather->needs_mark = has_tables;
	gather->end = (struct tprof_chain_end){};
	gather->chain->nr = 0;
	if (plan->kernel && !user_mode(regs))
		gather_kernel(gather, regs);
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
