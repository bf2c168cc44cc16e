// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - call chains: the callers of the interrupted code
 *
 * A chain is collected before its record is begun, because tprof_lane_begin() needs
 * the length. Until then, the chain is in scratch memory of this CPU. The memory has
 * one chain for each context, because one context can interrupt another. An NMI that
 * interrupted 64-bit user code needs no scratch memory: it writes the frames into
 * the record (tprof_unwind_in_place()).
 */
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/uaccess.h>

#include <asm/cpu_entry_area.h>
#include <asm/unwind.h>

#include "base/gfp.h"
#include "chain/chain.h"

/*
 * Number of values of interrupt_context_level(): task, softirq, hard interrupt, NMI.
 */
#define NR_LEVELS	4

/* How often a walk by tables is repeated after it has waited for a page of the stack. */
#define MAX_WAITS	64

/* Maximum distance of a user frame from the stack pointer, in bytes. */
#define STACK_MAX	(64UL << 20)

/**
 * struct walk - a chain that is being collected
 * @chain:	the chain
 * @left:	number of frames that may still be added
 * @may_sleep:	the walk may wait for pages of the stack
 * @needs_mark:	other chains of the session are found by tables: a mark must precede the first
 *		frame by the frame pointer
 * @end:	how the chain ends
 * @callers:	memory for the walk by tables
 */
struct walk {
	struct tprof_chain	*chain;
	u32			left;
	bool			may_sleep;
	bool			needs_mark;
	struct tprof_unwind_end	end;
	struct tprof_walk	callers;
};

/**
 * struct scratch - memory for the chains of a CPU, for each context
 * @chains:	the chain
 * @walks:	the walk that collects it; not on the stack, of which an NMI has little
 */
struct scratch {
	struct tprof_chain	chains[NR_LEVELS];
	struct walk		walks[NR_LEVELS];
};

/* Protects @scratches and @nr_users. Taken inside the session lock. */
static DEFINE_MUTEX(scratch_lock);
static struct scratch __percpu *scratches;
static u32 nr_users;

/**
 * tprof_unwind_get - take a reference to the scratch memory; the first user allocates it
 *
 * Context: process, may sleep.
 * Return: 0 or -ENOMEM.
 */
int tprof_unwind_get(void)
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

/**
 * tprof_unwind_put - drop an event's reference to the scratch memory
 *
 * The caller makes sure that the event can no longer overflow. The last reference
 * frees the memory.
 *
 * Context: process, may sleep.
 */
void tprof_unwind_put(void)
{
	guard(mutex)(&scratch_lock);
	if (--nr_users)
		return;
	free_percpu(scratches);
	scratches = NULL;
}

static void push_mark(struct walk *walk, u64 mark)
{
	walk->chain->ips[walk->chain->nr++] = mark;
}

static bool has_frames_left(struct walk *walk)
{
	if (likely(walk->left))
		return true;
	walk->end.cuts |= BIT(TPROF_UNWIND_DEEP);
	return false;
}

static bool push_frame(struct walk *walk, unsigned long ip)
{
	if (!has_frames_left(walk))
		return false;
	walk->left--;
	walk->chain->ips[walk->chain->nr++] = ip;
	return true;
}

/* Add a frame to which the frame pointer has led. */
static bool push_caller(struct walk *walk, unsigned long ip)
{
	if (!has_frames_left(walk))
		return false;
	if (walk->needs_mark)
		push_mark(walk, PERF_CONTEXT_USER);
	walk->needs_mark = false;
	return push_frame(walk, ip);
}

static void walk_kernel(struct walk *walk, struct pt_regs *regs)
{
	struct unwind_state state;
	/* If the CPU saved the registers, this bit is set, as perf expects, too. */
	bool is_saved = regs->flags & X86_EFLAGS_FIXED;
	unsigned long ip;

	push_mark(walk, PERF_CONTEXT_KERNEL);
	push_frame(walk, regs->ip);
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
		if (!push_frame(walk, ip))
			return;
	}
	if (unwind_error(&state))
		walk->end.cuts |= BIT(TPROF_UNWIND_LOST);
}

/*
 * Return true if @at may be a frame on the stack that starts at @sp. Code without frame
 * pointers may have any value in the frame pointer register.
 */
static bool may_be_stack(unsigned long sp, unsigned long at, bool is_64bit)
{
	return at >= sp && at - sp < STACK_MAX &&
	       IS_ALIGNED(at, is_64bit ? sizeof(u64) : sizeof(u32));
}

/*
 * Read memory of the user, and wait for its page. Not inline, so that the lint nmi finds the
 * calls of this function, which do not happen in an NMI.
 */
static noinline bool wait_for_user(void *to, unsigned long at, size_t bytes)
{
	return !copy_from_user(to, (const void __user *)at, bytes);
}

static bool read_user(void *to, unsigned long at, size_t bytes, bool may_sleep)
{
	if (may_sleep)
		return wait_for_user(to, at, bytes);
	return !copy_from_user_nmi(to, (const void __user *)at, bytes);
}

/*
 * Read the frame at address @at. Return false if the memory cannot be read now.
 */
static bool read_frame(unsigned long at, bool is_64bit, bool may_sleep,
		       struct tprof_unwind_frame *frame)
{
	u32 narrow[2];

	if (is_64bit)
		return read_user(frame, at, sizeof(*frame), may_sleep);
	if (!read_user(narrow, at, sizeof(narrow), may_sleep))
		return false;
	frame->next = narrow[0];
	frame->ret = narrow[1];
	return true;
}

/*
 * Add the frames of user code by following the frame pointers. In code without
 * frame pointers, the register holds any value, often a small number, sometimes
 * the address of other data. A return address outside user space ends the
 * chain, because a reader could take it for a PERF_CONTEXT_* mark. A frame that
 * points to itself also ends the chain. A walk that may sleep waits for pages
 * of the stack only: other memory of the program may be unavailable for long,
 * or until the program itself runs.
 */
static void walk_user(struct walk *walk, const struct pt_regs *regs)
{
	bool is_64bit = tprof_unwind_is_64bit(regs);
	/* Racy reads: see tprof_unwind_user_regs(). */
	unsigned long ip = data_race(regs->ip), sp = data_race(regs->sp), bp = data_race(regs->bp);
	unsigned long at = is_64bit ? bp : (u32)bp;
	struct tprof_unwind_frame frame;
	bool is_stack;

	if (!has_frames_left(walk))
		return;
	push_mark(walk, PERF_CONTEXT_USER);
	push_frame(walk, ip);
	while (at >= PAGE_SIZE) {
		is_stack = may_be_stack(sp, at, is_64bit);
		if (!read_frame(at, is_64bit, is_stack && walk->may_sleep,
				&frame)) {
			walk->end.cuts |= BIT(TPROF_UNWIND_ABSENT);
			walk->end.absent_at = is_stack ? at : 0;
			return;
		}
		if (!frame.ret || frame.ret >= TASK_SIZE_MAX)
			return;
		if (!push_caller(walk, frame.ret) || frame.next == at)
			return;
		at = frame.next;
	}
}

/*
 * Add the frames of user code by tables. If the mappings of the process are not known, a
 * sample that cannot be deferred follows frame pointers, and a worker learns the mappings.
 */
static void walk_tables(struct walk *walk, const struct tprof_walker *walker,
			const struct pt_regs *user, bool may_defer)
{
	/* Racy reads: see tprof_unwind_user_regs(). */
	unsigned long ip = data_race(user->ip), sp = data_race(user->sp);
	struct tprof_chain *chain = walk->chain;
	u32 begun = chain->nr;
	u64 *next;

	if (!has_frames_left(walk))
		return;
	push_mark(walk, PERF_CONTEXT_USER);
	push_frame(walk, ip);
	next = tprof_walker_walk(walker, &walk->callers, chain->ips + chain->nr,
				 chain->ips + chain->nr + walk->left, user, &walk->end);
	chain->nr = next - chain->ips;
	if (!(walk->end.cuts & BIT(TPROF_UNWIND_UNMAPPED))) {
		if (!may_be_stack(sp, walk->end.absent_at, true))
			walk->end.absent_at = 0;
		return;
	}
	if (may_defer)
		return;
	tprof_tables_want(walker->tables);
	walk->end.cuts &= ~BIT(TPROF_UNWIND_UNMAPPED);
	walk->end.absent_at = 0;
	walk->left++;
	chain->nr = begun;
	walk_user(walk, user);
}

/*
 * Return true if the entry code was interrupted before it had saved all user registers
 * to @user: the interrupted stack pointer is on the user's stack, on the entry stack,
 * or within @user.
 */
static bool is_entering(const struct pt_regs *regs, const struct pt_regs *user)
{
	const struct entry_stack *entry =
		cpu_entry_stack(raw_smp_processor_id());
	unsigned long sp = regs->sp;

	return sp < TASK_SIZE_MAX ||
	       (sp > (unsigned long)entry && sp <= (unsigned long)(entry + 1)) ||
	       (sp > (unsigned long)user && sp <= (unsigned long)(user + 1));
}

/**
 * tprof_unwind_user_regs - return the user registers
 * @regs:	interrupted registers
 *
 * Reading these registers is racy: a task in exec, or on the way to or from a signal
 * handler, may be interrupted while it writes its user registers. Each register then
 * has its old or its new value.
 *
 * Context: any, NMI included.
 * Return: the user registers; NULL if the task has no user mode; NULL if the
 * interrupted entry code has not saved the registers yet.
 */
struct pt_regs *tprof_unwind_user_regs(struct pt_regs *regs)
{
	struct pt_regs *user;

	if (user_mode(regs))
		return regs;
	/*
	 * Racy reads: the interrupted task may be giving up its @mm or writing
	 * other bits of @flags.
	 */
	if (!READ_ONCE(current->mm) || data_race(current->flags) & (PF_KTHREAD | PF_USER_WORKER))
		return NULL;
	user = task_pt_regs(current);
	if (is_entering(regs, user))
		return NULL;
	/* Before its first exec, a task that the kernel started has no user registers. */
	return data_race(user_mode(user)) ? user : NULL;
}

/**
 * tprof_unwind - collect a call chain
 * @limits:	parts and length of the chain
 * @regs:	interrupted registers; or those of a running function, as of
 *		perf_fetch_caller_regs(): an address in it, the frame of a function that
 *		it called, the kernel's code segment, and otherwise zero
 * @end:	result: how the chain ends
 *
 * Context: any, NMI included, not preemptible.
 * Return: the chain, valid until the next call on this CPU in this context.
 */
const struct tprof_chain *
tprof_unwind(const struct tprof_unwind_limits *limits, struct pt_regs *regs,
	     struct tprof_unwind_end *end)
{
	struct scratch *scratch = this_cpu_ptr(scratches);
	u8 level = interrupt_context_level();
	struct walk *walk = &scratch->walks[level];
	const struct pt_regs *user;

	walk->chain = &scratch->chains[level];
	walk->left = limits->frames;
	walk->may_sleep = false;
	walk->needs_mark = limits->walker;
	walk->end = (struct tprof_unwind_end){};
	walk->chain->nr = 0;
	if (limits->kernel && !user_mode(regs))
		walk_kernel(walk, regs);
	user = limits->user || limits->walker ? tprof_unwind_user_regs(regs) : NULL;
	if (user && limits->walker && tprof_unwind_is_64bit(user))
		walk_tables(walk, limits->walker, user, user_mode(regs) && !in_task());
	else if (user)
		walk_user(walk, user);
	*end = walk->end;
	return walk->chain;
}

/**
 * tprof_unwind_end_in_place - complete @end after tprof_unwind_in_place()
 * @end:	how the chain ends; @absent_at is set to 0 if it is not on the stack
 * @user:	registers of the user
 *
 * Context: any, NMI included.
 */
void tprof_unwind_end_in_place(struct tprof_unwind_end *end, const struct pt_regs *user)
{
	if (!may_be_stack(user->sp, end->absent_at, true))
		end->absent_at = 0;
}

/**
 * tprof_unwind_user - collect the user part of a chain, and wait for pages of the stack
 * @chain:	result
 * @frames:	maximum number of frames
 * @user:	user registers of this task
 * @has_tables:	other chains of the session are found by tables
 *
 * Context: process, may sleep.
 * Return: address of the frame on the stack that cannot be read, or 0.
 */
unsigned long tprof_unwind_user(struct tprof_chain *chain, u32 frames,
				const struct pt_regs *user, bool has_tables)
{
	struct walk walk = {
		.chain = chain,
		.left = frames,
		.may_sleep = true,
		.needs_mark = has_tables,
	};

	chain->nr = 0;
	walk_user(&walk, user);
	return walk.end.absent_at;
}

/*
 * Walk by tables. Preemption is off meanwhile, as another task may replace the mappings of
 * the process. So the walk cannot wait for pages.
 */
static void walk_now(struct walk *walk, const struct tprof_walker *walker,
		     const struct pt_regs *user, u32 frames)
{
	walk->chain->nr = 0;
	walk->left = frames;
	walk->end = (struct tprof_unwind_end){};
	preempt_disable();
	walk_tables(walk, walker, user, true);
	preempt_enable();
}

/**
 * tprof_unwind_user_by_tables - do the same as tprof_unwind_user(), by unwind tables
 * @chain:	result
 * @frames:	maximum number of frames
 * @user:	user registers of this task, of 64-bit code
 * @tables:	tables
 *
 * If the mappings of the process are not known, this learns them. A walk that ends at a page
 * that is not present is repeated when the page was read.
 *
 * Context: process, may sleep.
 * Return: address on the stack that cannot be read, or 0.
 */
unsigned long tprof_unwind_user_by_tables(struct tprof_chain *chain, u32 frames,
					  const struct pt_regs *user,
					  struct tprof_tables *tables)
{
	const struct tprof_walker walker = { .tables = tables };
	struct walk walk = { .chain = chain };
	unsigned long word;
	u32 waits;

	walk_now(&walk, &walker, user, frames);
	if (walk.end.cuts & BIT(TPROF_UNWIND_UNMAPPED)) {
		tprof_spaces_learn(&tables->spaces, current->mm,
				   tprof_spaces_are_known(&tables->spaces, current->mm));
		walk_now(&walk, &walker, user, frames);
	}
	/* Without memory for the mappings, frame pointers remain. */
	if (walk.end.cuts & BIT(TPROF_UNWIND_UNMAPPED))
		return tprof_unwind_user(chain, frames, user, true);
	for (waits = 0; walk.end.absent_at && waits < MAX_WAITS; waits++) {
		if (!wait_for_user(&word, walk.end.absent_at, sizeof(word)))
			return walk.end.absent_at;
		walk_now(&walk, &walker, user, frames);
	}
	return walk.end.absent_at;
}
