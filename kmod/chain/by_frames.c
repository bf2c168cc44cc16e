// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the user part of a call chain by frame pointers
 *
 * Context: see each function.
 */
#include <linux/uaccess.h>

#include "chain/by_frames.h"
#include "chain/user_regs.h"

/* Add a frame to which the frame pointer has led. */
static bool push_caller(struct tprof_gather *gather, unsigned long ip)
{
	if (!tprof_gather_has_room(gather))
		return false;
	if (gather->needs_mark)
		tprof_gather_mark(gather, PERF_CONTEXT_USER);
	gather->needs_mark = false;
	return tprof_gather_frame(gather, ip);
}

static bool read_user(void *to, unsigned long at, size_t bytes, bool may_sleep)
{
	if (may_sleep)
		return tprof_gather_wait(to, at, bytes);
	return !copy_from_user_nmi(to, (const void __user *)at, bytes);
}

/*
 * Read the frame at address @at. Return false if the memory cannot be read now.
 */
static bool read_frame(unsigned long at, bool is_64bit, bool may_sleep,
		       struct tprof_frame *frame)
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

/**
 * tprof_by_frames_gather - add the frames of user code by following the frame pointers
 * @gather:	the chain
 * @user:	user registers of this task
 *
 * In code without frame pointers, the register holds any value, often a small number, sometimes
 * the address of other data. A return address outside user space ends the chain, because a
 * reader could take it for a PERF_CONTEXT_* mark. A frame that points to itself also ends the
 * chain. A walk that may sleep waits for pages of the stack only: other memory of the program
 * may be unavailable for long, or until the program itself runs.
 *
 * Context: any, NMI included, if @gather may not sleep.
 */
void tprof_by_frames_gather(struct tprof_gather *gather, const struct pt_regs *user)
{
	bool is_64bit = tprof_user_is_64bit(user);
	/* Racy reads: see tprof_user_regs(). */
	unsigned long ip = data_race(user->ip), sp = data_race(user->sp), bp = data_race(user->bp);
	unsigned long at = is_64bit ? bp : (u32)bp;
	struct tprof_frame frame;
	bool is_stack;

	if (!tprof_gather_has_room(gather))
		return;
	tprof_gather_mark(gather, PERF_CONTEXT_USER);
	tprof_gather_frame(gather, ip);
	while (at >= PAGE_SIZE) {
		is_stack = tprof_user_is_stack(sp, at, is_64bit);
		if (!read_frame(at, is_64bit, is_stack && gather->may_sleep,
				&frame)) {
			gather->end.cuts |= BIT(TPROF_CHAIN_ABSENT);
			gather->end.absent_at = is_stack ? at : 0;
			return;
		}
		if (!frame.ret || frame.ret >= TASK_SIZE_MAX)
			return;
		if (!push_caller(gather, frame.ret) || frame.next == at)
			return;
		at = frame.next;
	}
}

/**
 * tprof_by_frames_complete - collect the user part of a chain, and wait for pages of the stack
 * @chain:	result
 * @frames:	maximum number of frames
 * @user:	user registers of this task
 * @has_tables:	other chains of the session are found by tables
 *
 * Context: process, may sleep.
 * Return: how the chain ends.
 */
struct tprof_chain_end tprof_by_frames_complete(struct tprof_chain *chain, u32 frames,
						const struct pt_regs *user, bool has_tables)
{
	struct tprof_gather gather = {
		.chain = chain,
		.left = frames,
		.may_sleep = true,
		.needs_mark = has_tables,
	};

	chain->nr = 0;
	tprof_by_frames_gather(&gather, user);
	return gather.end;
}
