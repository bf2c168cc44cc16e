/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the user part of a call chain by frame pointers
 *
 * An NMI cannot wait for a page, so user memory that is not present ends a chain there.
 *
 * Context: see each function.
 */
#ifndef TPROF_BY_FRAMES_H
#define TPROF_BY_FRAMES_H

#include <linux/bits.h>
#include <linux/nospec.h>
#include <linux/perf_event.h>
#include <linux/ptrace.h>
#include <linux/types.h>
#include <linux/uaccess.h>

#include "chain/end.h"
#include "chain/gather.h"

/**
 * struct tprof_frame - memory at a frame pointer
 * @next:	frame pointer of the caller
 * @ret:	return address
 */
struct tprof_frame {
	unsigned long	next;
	unsigned long	ret;
};

/*
 * Walk the frames of 64-bit code as tprof_by_frames_gather() does. The caller has enabled
 * access to user memory. Each address is compared with @limit. Then
 * array_index_nospec() masks it, so that a mispredicted branch cannot read kernel memory
 * at an address that the user chose.
 */
static __always_inline u64 *
tprof_by_frames_follow(u64 *field, const u64 *last, unsigned long at,
		       struct tprof_chain_end *end)
{
	unsigned long limit = TASK_SIZE_MAX - sizeof(struct tprof_frame) + 1;
	const struct tprof_frame __user *frame;
	unsigned long next, ret;

	/* array_index_nospec() cannot use a constant of more than 32 bits. */
	OPTIMIZER_HIDE_VAR(limit);
	while (at >= PAGE_SIZE) {
		if (unlikely(at >= limit))
			goto absent;
		frame = (const struct tprof_frame __user *)array_index_nospec(at, limit);
		unsafe_get_user(next, &frame->next, absent);
		unsafe_get_user(ret, &frame->ret, absent);
		if (unlikely(!ret || ret >= TASK_SIZE_MAX))
			break;
		if (unlikely(field == last)) {
			end->cuts = BIT(TPROF_CHAIN_DEEP);
			break;
		}
		*field++ = ret;
		if (unlikely(next == at))
			break;
		at = next;
	}
	return field;

absent:
	end->cuts = BIT(TPROF_CHAIN_ABSENT);
	end->absent_at = at;
	return field;
}

/**
 * tprof_by_frames_write - write the call chain of 64-bit user code into its record
 * @frames:	maximum number of frames
 * @field:	result: PERF_SAMPLE_CALLCHAIN, at most @frames + 3 words
 * @user:	interrupted registers, of user mode
 * @end:	result, zero before the call: how the chain ends. If @cuts is not 0, the
 *		caller then calls tprof_chain_check_end().
 *
 * The task was running in user mode, so its page tables are loaded.
 * copy_from_user_nmi() would check that for each frame, so it is not used.
 *
 * Context: any, NMI included, not preemptible.
 * Return: one past the last word written.
 */
static __always_inline u64 *
tprof_by_frames_write(u32 frames, u64 *field, const struct pt_regs *user,
		      struct tprof_chain_end *end)
{
	u64 *nr = field;
	const u64 *last = field + 2 + frames;

	field[1] = PERF_CONTEXT_USER;
	field[2] = user->ip;
	field += 3;
	pagefault_disable();
	if (user_access_begin((void __user *)PAGE_SIZE, sizeof(struct tprof_frame))) {
		field = tprof_by_frames_follow(field, last, user->bp, end);
		user_access_end();
	}
	pagefault_enable();
	*nr = field - nr - 1;
	return field;
}

void tprof_by_frames_gather(struct tprof_gather *gather, const struct pt_regs *user);
struct tprof_chain_end tprof_by_frames_complete(struct tprof_chain *chain, u32 frames,
						const struct pt_regs *user, bool has_tables);

#endif /* TPROF_BY_FRAMES_H */
