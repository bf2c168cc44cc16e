// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - call chains: the callers of the interrupted code
 *
 * A chain is collected before its record is begun, because tprof_lane_begin()
 * needs the length. Each CPU has scratch memory for each context that can
 * interrupt another one. An NMI that interrupted the user needs none: it walks the
 * frames into the record (tprof_unwind_in_place()).
 */
#include <linux/mutex.h>
#include <linux/nospec.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/uaccess.h>

#include <asm/cpu_entry_area.h>
#include <asm/unwind.h>

#include "base/gfp.h"
#include "sample/unwind.h"

/* Task, softirq, hard interrupt, NMI: interrupt_context_level(). */
#define NR_LEVELS	4

/* Limit for the distance of a frame from the stack pointer. */
#define STACK_MAX	(64UL << 20)

/**
 * struct scratch - memory for the chains of a CPU
 * @chains:	one chain per context
 */
struct scratch {
	struct tprof_chain	chains[NR_LEVELS];
};

/**
 * struct walk - a chain that is being collected
 * @chain:	the chain
 * @left:	frames that may still be added
 * @may_sleep:	the walk may wait for pages of the stack
 * @end:	how the chain ends
 */
struct walk {
	struct tprof_chain	*chain;
	u32			left;
	bool			may_sleep;
	struct tprof_unwind_end	end;
};

/**
 * struct frame - memory at a frame pointer
 * @next:	frame pointer of the caller
 * @ret:	return address
 */
struct frame {
	unsigned long	next;
	unsigned long	ret;
};

/* Protects scratches and their users; nests in the session lock. */
static DEFINE_MUTEX(scratch_lock);
static struct scratch __percpu *scratches;
static u32 nr_users;

/**
 * tprof_unwind_get - allocate the memory before an event samples chains
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
 * tprof_unwind_put - release the memory after the last overflow of an event
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

static void walk_kernel(struct walk *walk, struct pt_regs *regs)
{
	struct unwind_state state;
	unsigned long ip;

	push_mark(walk, PERF_CONTEXT_KERNEL);
	push_frame(walk, regs->ip);
	/* Early in the entry code the stack is still the user's. */
	if (regs->sp < TASK_SIZE_MAX)
		return;
	/*
	 * The walk begins behind the frame of the registers, which the chain
	 * already has.
	 */
	for (unwind_start(&state, current, regs, NULL); !unwind_done(&state);
	     unwind_next_frame(&state)) {
		ip = unwind_get_return_address(&state);
		if (!ip)
			break;
		if (!push_frame(walk, ip))
			return;
	}
	if (unwind_error(&state))
		walk->end.cuts |= BIT(TPROF_UNWIND_LOST);
}

/**
 * tprof_unwind_is_64bit - return the mode of the user
 * @regs:	registers of the user
 *
 * Return: true for 64 bits, false for 32.
 */
bool tprof_unwind_is_64bit(const struct pt_regs *regs)
{
	/*
	 * The cast is safe: user_64bit_mode() only reads. Racy read: see
	 * tprof_unwind_user_regs().
	 */
	return data_race(user_64bit_mode((struct pt_regs *)regs));
}

/* Code without frame pointers may have any number in the register. */
static bool may_be_stack(unsigned long sp, unsigned long at, bool is_64bit)
{
	return at >= sp && at - sp < STACK_MAX &&
	       IS_ALIGNED(at, is_64bit ? sizeof(u64) : sizeof(u32));
}

static bool read_user(void *to, unsigned long at, size_t bytes, bool may_sleep)
{
	const void __user *from = (const void __user *)at;

	if (may_sleep)
		return !copy_from_user(to, from, bytes);
	return !copy_from_user_nmi(to, from, bytes);
}

/* Return: false if the memory cannot be read now. */
static bool read_frame(unsigned long at, bool is_64bit, bool may_sleep,
		       struct frame *frame)
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
 * In code without frame pointers the register holds any number, often a small
 * one, sometimes the address of other data. A return address outside user space
 * ends the chain: a reader could take it for a PERF_CONTEXT_* mark. A frame that
 * points to itself ends it too. A walk that may sleep waits for pages of the
 * stack only: other memory of the program may be unavailable for long, or until
 * the program itself runs.
 */
static void walk_user(struct walk *walk, const struct pt_regs *regs)
{
	bool is_64bit = tprof_unwind_is_64bit(regs);
	/* See tprof_unwind_user_regs(). */
	unsigned long ip = data_race(regs->ip), sp = data_race(regs->sp), bp = data_race(regs->bp);
	unsigned long at = is_64bit ? bp : (u32)bp;
	struct frame frame;
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
		if (!push_frame(walk, frame.ret) || frame.next == at)
			return;
		at = frame.next;
	}
}

/*
 * The registers of the user are valid once the entry code has left the user's
 * stack and the entry stack and has pushed all registers.
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
 * tprof_unwind_user_regs - return the registers of the user
 * @regs:	interrupted registers
 *
 * Racy read: a task in exec, or on the way to or from a signal handler, may be
 * writing them when it is interrupted. Each register is whole, and belongs to the
 * user before or after the change.
 *
 * Context: any, NMI included.
 * Return: registers, or NULL for a task without user mode, or in entry code that
 * has not yet saved them.
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
	/* Before the first exec of a task they are not initialised. */
	return data_race(user_mode(user)) ? user : NULL;
}

/**
 * tprof_unwind - collect a call chain
 * @limits:	parts and length of the chain
 * @regs:	interrupted registers
 * @end:	result: how the chain ends
 *
 * Context: any, NMI included, not preemptible.
 * Return: the chain, valid until the next call in this context.
 */
const struct tprof_chain *
tprof_unwind(const struct tprof_unwind_limits *limits, struct pt_regs *regs,
	     struct tprof_unwind_end *end)
{
	struct scratch *scratch = this_cpu_ptr(scratches);
	struct walk walk = {
		.chain = &scratch->chains[interrupt_context_level()],
		.left = limits->frames,
	};
	const struct pt_regs *user;

	walk.chain->nr = 0;
	if (limits->kernel && !user_mode(regs))
		walk_kernel(&walk, regs);
	user = limits->user ? tprof_unwind_user_regs(regs) : NULL;
	if (user)
		walk_user(&walk, user);
	*end = walk.end;
	return walk.chain;
}

/*
 * As walk_user(), with the user's memory open. A frame must lie below @limit: an
 * address from the user's memory is checked here, and masked, or the processor
 * could read any memory by it before it knows the outcome of the check.
 */
static __always_inline u64 *follow_frames(u64 *field, const u64 *last,
					  unsigned long at,
					  struct tprof_unwind_end *end)
{
	const unsigned long user_end = TASK_SIZE_MAX;
	const unsigned long limit = user_end - sizeof(struct frame) + 1;
	unsigned long next, ret;

	while (at >= PAGE_SIZE) {
		if (unlikely(at >= limit))
			goto absent;
		at = array_index_nospec(at, limit);
		unsafe_get_user(next, &((struct frame __user *)at)->next, absent);
		unsafe_get_user(ret, &((struct frame __user *)at)->ret, absent);
		if (unlikely(ret - 1 >= user_end - 1))
			break;
		if (unlikely(field == last)) {
			end->cuts = BIT(TPROF_UNWIND_DEEP);
			break;
		}
		*field++ = ret;
		if (unlikely(next == at))
			break;
		at = next;
	}
	return field;

absent:
	end->cuts = BIT(TPROF_UNWIND_ABSENT);
	end->absent_at = at;
	return field;
}

/**
 * tprof_unwind_in_place - write the chain of a user of 64 bits into its record
 * @limits:	length of the chain
 * @field:	where PERF_SAMPLE_CALLCHAIN begins, with room for @limits->frames
 *		and the mark
 * @user:	interrupted registers, of user mode
 * @end:	result: how the chain ends
 *
 * The task was running in user mode, so its page tables are the loaded ones:
 * copy_from_user_nmi() would check that for each frame.
 *
 * Context: any, NMI included, not preemptible.
 * Return: the end of the chain.
 */
u64 *tprof_unwind_in_place(const struct tprof_unwind_limits *limits, u64 *field,
			   const struct pt_regs *user,
			   struct tprof_unwind_end *end)
{
	u64 *nr = field;
	const u64 *last = field + 2 + limits->frames;

	field[1] = PERF_CONTEXT_USER;
	field[2] = user->ip;
	field += 3;
	pagefault_disable();
	if (user_access_begin((void __user *)PAGE_SIZE, sizeof(struct frame))) {
		field = follow_frames(field, last, user->bp, end);
		user_access_end();
	}
	pagefault_enable();
	*nr = field - nr - 1;
	if (unlikely(end->absent_at) &&
	    !may_be_stack(user->sp, end->absent_at, true))
		end->absent_at = 0;
	return field;
}

/**
 * tprof_unwind_user - collect the user's part of a chain, waiting for memory
 * @chain:	result
 * @frames:	limit of the chain
 * @user:	registers of the user of this task
 *
 * Context: process, may sleep.
 * Return: an address of the stack that cannot be read, or 0.
 */
unsigned long tprof_unwind_user(struct tprof_chain *chain, u32 frames,
				const struct pt_regs *user)
{
	struct walk walk = {
		.chain = chain,
		.left = frames,
		.may_sleep = true,
	};

	chain->nr = 0;
	walk_user(&walk, user);
	return walk.end.absent_at;
}
