// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - call chains: who called the code that was interrupted
 *
 * A chain is gathered before its record is begun, as its length has to be
 * known by then. The memory for that is there once for each context that can
 * interrupt another on a CPU.
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
#include "sample/unwind.h"

/* Task, softirq, hard interrupt, NMI: interrupt_context_level(). */
#define NR_LEVELS	4

/* No stack is so long that a frame is farther from its end. */
#define STACK_MAX	(64UL << 20)

/**
 * struct scratch - chains that are being gathered on a CPU
 * @chains:	one for each level
 */
struct scratch {
	struct tprof_chain	chains[NR_LEVELS];
};

/**
 * struct walk - a chain that is being gathered
 * @chain:	the chain
 * @left:	frames that it may still have
 * @may_sleep:	the stack's memory can be waited for
 * @end:	how it ends
 */
struct walk {
	struct tprof_chain	*chain;
	u32			left;
	bool			may_sleep;
	struct tprof_unwind_end	end;
};

/**
 * struct frame - what a frame pointer points to
 * @next:	that of the caller
 * @ret:	where it goes on
 */
struct frame {
	unsigned long	next;
	unsigned long	ret;
};

/* Protects both; nests in the session lock. */
static DEFINE_MUTEX(scratch_lock);
static struct scratch __percpu *scratches;
static u32 nr_users;

/**
 * tprof_unwind_get - an event is going to ask for chains
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
 * tprof_unwind_put - an event that did has no overflows any more
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
	/* On the way into the kernel, the stack can still be the user's. */
	if (regs->sp < TASK_SIZE_MAX)
		return;
	/* It begins behind the frame of the registers, which is there now. */
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
 * tprof_unwind_is_64bit - which mode was the user in
 * @regs:	the user's registers
 *
 * Return: true for 64 bits, false for 32.
 */
bool tprof_unwind_is_64bit(const struct pt_regs *regs)
{
	/* It only looks; and see tprof_unwind_user_regs(). */
	return data_race(user_64bit_mode((struct pt_regs *)regs));
}

/* Code without frame pointers has anything in the register of that name. */
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

/* Return: false if that memory cannot be read now, or never. */
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
 * A frame pointer is any number in code that has none, often a small one. Some
 * such numbers are addresses of other data. What is no user's address there
 * ends the chain: it could also pass for a mark of a part. Of the rest nothing
 * is known but that a frame that is its own caller's would never end. Who waits
 * for memory does so for the stack only: not for what the program has elsewhere,
 * which may not come for long, or not without the program.
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
 * The user's registers are on the stack when the way into the kernel is past
 * its first steps: off the user's stack, off the small one for entries, and
 * with all registers pushed.
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
 * tprof_unwind_user_regs - the user's registers
 * @regs:	what was interrupted
 *
 * Who is interrupted in an exec, or on the way to a signal's handler or back, may be
 * writing them: each is whole, and they are the user's before or after.
 *
 * Context: any, NMI included.
 * Return: registers, or NULL when this task has no user, or when the way into
 * the kernel was interrupted before it had saved them for all to find.
 */
struct pt_regs *tprof_unwind_user_regs(struct pt_regs *regs)
{
	struct pt_regs *user;

	if (user_mode(regs))
		return regs;
	/* Who is interrupted may be giving up his memory, or changing others of his flags. */
	if (!READ_ONCE(current->mm) || data_race(current->flags) & (PF_KTHREAD | PF_USER_WORKER))
		return NULL;
	user = task_pt_regs(current);
	if (is_entering(regs, user))
		return NULL;
	/* Of a task on the way to its first program, they are not made yet. */
	return data_race(user_mode(user)) ? user : NULL;
}

/**
 * tprof_unwind - gather a call chain
 * @limits:	what is wanted
 * @regs:	what was interrupted
 * @end:	set to how the chain ends
 *
 * Context: any, NMI included, not preemptible.
 * Return: the chain, which stands until the next one in this context.
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

/**
 * tprof_unwind_user - gather the user's part, as one who may wait for it
 * @chain:	set to it
 * @frames:	how many it may have
 * @user:	registers of this task's user
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
