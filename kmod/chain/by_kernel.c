// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the kernel part of a call chain, by the kernel's unwinder
 */
#include <linux/bits.h>
#include <linux/perf_event.h>
#include <linux/ptrace.h>
#include <linux/sched.h>

#include <asm/unwind.h>

#include "chain/by_kernel.h"

/**
 * tprof_by_kernel_gather - add the frames of the kernel
 * @gather:	chain to add to
 * @regs:	as for tprof_chain_gather(); of kernel mode
 *
 * Context: any, NMI included, not preemptible.
 */
void tprof_by_kernel_gather(struct tprof_gather *gather, struct pt_regs *regs)
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
