// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - a copy of the user's stack, for a chain whose tables are not there yet
 *
 * Context: see each function.
 */
#include <linux/mm_types.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "chain/stack_copy.h"
#include "chain/user_regs.h"

/* The outermost function of a program may read so much above its first stack pointer. */
#define ABOVE_START	64

/* How much of a copy is for the upper end of a large stack, at most half of it. */
#define HIGH_BYTES	2048U

static_assert(TPROF_USER_REGISTERS == sizeof_field(struct tprof_lx_stack, regs) / sizeof(u64));

static unsigned long bottom_of(const struct pt_regs *user)
{
	/* Racy read: see tprof_user_regs(). */
	return data_race(user->sp) - TPROF_LX_STACK_BELOW;
}

/* Return the upper end of the stack: below the arguments of the program, or of user memory. */
static unsigned long top_of(unsigned long bottom)
{
	/* Racy reads: a task that exits gives up its mm, and prctl(2) sets its stack's start. */
	const struct mm_struct *mm = READ_ONCE(current->mm);
	unsigned long top = mm ? READ_ONCE(mm->start_stack) + ABOVE_START : 0;

	/* Other threads have other stacks, which need not be below that of the first. */
	return top > bottom && top - bottom < TPROF_USER_STACK_MAX ? top : TASK_SIZE_MAX;
}

/**
 * tprof_stack_copy_bytes - return the length of a copy
 * @limit:	maximum bytes of stack, a multiple of 8
 * @user:	user registers of this task
 *
 * The copy of the stack of a program's first thread ends at its arguments; that of other threads
 * where there is no memory.
 *
 * Context: any, NMI included.
 * Return: bytes, with struct tprof_lx_stack; 0 if there is no stack to copy.
 */
u32 tprof_stack_copy_bytes(u32 limit, const struct pt_regs *user)
{
	unsigned long bottom = bottom_of(user);

	if (bottom >= TASK_SIZE_MAX)
		return 0;
	return tprof_stack_copy_max(min_t(unsigned long, limit,
					  round_down(top_of(bottom) - bottom, sizeof(u64))));
}

static bool read_stack(void *to, unsigned long at, u32 bytes)
{
	return !copy_from_user_nmi(to, (const void __user *)at, bytes);
}

/*
 * Read the first part of the stack page by page. Pages of a large frame that the program has not
 * touched yet are not present, but those above are. The stack of a thread that is not the first
 * ends at the first hole: what is above belongs to others. Return the end of the last page that is
 * present.
 */
static u32 read_low(void *to, unsigned long at, u32 bytes, bool is_first_thread)
{
	u32 done = 0, present = 0, part;

	while (done < bytes) {
		part = min_t(u32, bytes - done, PAGE_SIZE - offset_in_page(at + done));
		if (read_stack(to + done, at + done, part))
			present = done + part;
		else if (!present || is_first_thread)
			memset(to + done, 0, part);
		else
			break;
		done += part;
	}
	memset(to + done, 0, bytes - done);
	return round_down(present, sizeof(u64));
}

/*
 * Read both parts of the stack. The upper end has the outermost functions, which matter if a
 * function between has a frame that is larger than the copy.
 */
static void copy_parts(void *to, struct tprof_lx_stack *stack, unsigned long bottom)
{
	unsigned long top = top_of(bottom);
	u64 whole = round_down(top - bottom, sizeof(u64));
	bool is_first_thread = top != TASK_SIZE_MAX;
	u32 high = 0;

	if (whole > stack->bytes && is_first_thread)
		high = min(HIGH_BYTES, round_down(stack->bytes / 2, sizeof(u64)));
	if (high && !read_stack(to + stack->bytes - high, bottom + whole - high, high))
		high = 0;
	stack->low = stack->bytes - high;
	stack->gap = high ? whole - stack->bytes : 0;
	stack->present = read_low(to, bottom, stack->low, is_first_thread);
}

/**
 * tprof_stack_copy_write - copy what is present of the stack
 * @to:		result
 * @bytes:	tprof_stack_copy_bytes()
 * @frames:	maximum number of frames of the chain
 * @user:	user registers of this task
 *
 * No memory is waited for: behind the stack of a thread, it may be memory that the program itself
 * has to serve.
 *
 * Context: any, NMI included.
 */
void tprof_stack_copy_write(void *to, u32 bytes, u32 frames, const struct pt_regs *user)
{
	struct tprof_lx_stack *stack = to + bytes - sizeof(*stack);
	u32 i;

	for (i = 0; i < TPROF_USER_REGISTERS; i++)
		stack->regs[i] = tprof_user_register(user, i);
	stack->bytes = bytes - sizeof(*stack);
	stack->frames = frames;
	copy_parts(to, stack, bottom_of(user));
}
