// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the registers that the current task has in user mode
 *
 * Context: any, NMI included.
 */
#include <linux/compiler.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>

#include <asm/cpu_entry_area.h>

#include "chain/user_regs.h"

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
 * tprof_user_regs - return the user registers
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
struct pt_regs *tprof_user_regs(struct pt_regs *regs)
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
