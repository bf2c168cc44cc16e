/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - call chains: the callers of the interrupted code
 *
 * The kernel's unwinder walks the kernel part of a chain; frame pointers or unwind tables
 * lead through the user part. An NMI cannot wait for a page, so user memory that is not
 * present ends a chain.
 *
 * Context: tprof_unwind() runs in any context, NMI included. No locks, no allocation;
 * one loop for each part, bounded by the maximum number of frames.
 */
#ifndef TPROF_CHAIN_H
#define TPROF_CHAIN_H

#include <linux/bits.h>
#include <linux/nospec.h>
#include <linux/perf_event.h>
#include <linux/ptrace.h>
#include <linux/types.h>
#include <linux/uaccess.h>

#include "base/params.h"
#include "chain/end.h"
#include "chain/walk.h"
#include "chain/walker.h"

/*
 * Maximum numbers of frames and of PERF_CONTEXT_* marks in a chain. A user part by tables may
 * have TPROF_WALK_MAX_MARKS more.
 */
#define TPROF_UNWIND_MAX_FRAMES	TPROF_STACK_FRAMES_MAX
#define TPROF_UNWIND_MAX_MARKS	2

/**
 * struct tprof_unwind_limits - parts and length of a chain
 * @frames:	maximum number of frames; 0 for no chain
 * @kernel:	include frames of the kernel
 * @user:	include frames of the user, by frame pointers
 * @deferred:	let the task complete the chain if a user frame is not present
 * @walker:	if not NULL, include frames of the user, by unwind tables; @user is false
 */
struct tprof_unwind_limits {
	u32	frames;
	bool	kernel;
	bool	user;
	bool	deferred;
	struct tprof_walker *walker;
};

/**
 * struct tprof_unwind_frame - memory at a frame pointer
 * @next:	frame pointer of the caller
 * @ret:	return address
 */
struct tprof_unwind_frame {
	unsigned long	next;
	unsigned long	ret;
};

/**
 * struct tprof_chain - a call chain, as PERF_SAMPLE_CALLCHAIN lays it out
 * @nr:	number of @ips
 * @ips:	addresses, the innermost first; a PERF_CONTEXT_* mark precedes
 *		each part, and in a user part by tables, see TPROF_LX_EVENT_TABLES, further
 *		marks
 */
struct tprof_chain {
	u64	nr;
	u64	ips[TPROF_UNWIND_MAX_FRAMES + TPROF_UNWIND_MAX_MARKS + TPROF_WALK_MAX_MARKS];
};

int tprof_unwind_get(void);
void tprof_unwind_put(void);

const struct tprof_chain *
tprof_unwind(const struct tprof_unwind_limits *limits, struct pt_regs *regs,
	     struct tprof_unwind_end *end);
void tprof_unwind_end_in_place(struct tprof_unwind_end *end, const struct pt_regs *user);
unsigned long tprof_unwind_user(struct tprof_chain *chain, u32 frames,
				const struct pt_regs *user, bool has_tables);
unsigned long tprof_unwind_user_by_tables(struct tprof_chain *chain, u32 frames,
					  const struct pt_regs *user,
					  struct tprof_tables *tables);
struct pt_regs *tprof_unwind_user_regs(struct pt_regs *regs);

/**
 * tprof_unwind_is_64bit - report whether code is 64-bit user code
 * @regs:	interrupted registers, or registers of the user
 *
 * Return: true for 64-bit code of the user, false for 32-bit code and for the kernel.
 */
static __always_inline bool tprof_unwind_is_64bit(const struct pt_regs *regs)
{
	/*
	 * The cast is safe: user_64bit_mode() only reads. Racy read: see
	 * tprof_unwind_user_regs().
	 */
	return data_race(user_64bit_mode((struct pt_regs *)regs));
}

/*
 * Walk the frames of 64-bit code as walk_user() in chain.c does. The caller has enabled
 * access to user memory. Each address is compared with @limit. Then
 * array_index_nospec() masks it, so that a mispredicted branch cannot read kernel memory
 * at an address that the user chose.
 */
static __always_inline u64 *
tprof_unwind_follow_frames(u64 *field, const u64 *last, unsigned long at,
			   struct tprof_unwind_end *end)
{
	unsigned long limit = TASK_SIZE_MAX - sizeof(struct tprof_unwind_frame) + 1;
	const struct tprof_unwind_frame __user *frame;
	unsigned long next, ret;

	/* array_index_nospec() cannot use a constant of more than 32 bits. */
	OPTIMIZER_HIDE_VAR(limit);
	while (at >= PAGE_SIZE) {
		if (unlikely(at >= limit))
			goto absent;
		frame = (const struct tprof_unwind_frame __user *)array_index_nospec(at, limit);
		unsafe_get_user(next, &frame->next, absent);
		unsafe_get_user(ret, &frame->ret, absent);
		if (unlikely(!ret || ret >= TASK_SIZE_MAX))
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
 * tprof_unwind_in_place - write the call chain of 64-bit user code into its record
 * @limits:	length of the chain
 * @field:	result: PERF_SAMPLE_CALLCHAIN, at most @limits->frames + 2 words
 * @user:	interrupted registers, of user mode
 * @end:	result, zero before the call: how the chain ends. If @cuts is not 0, the
 *		caller then calls tprof_unwind_end_in_place().
 *
 * The task was running in user mode, so its page tables are loaded.
 * copy_from_user_nmi() would check that for each frame, so it is not used.
 *
 * Context: any, NMI included, not preemptible.
 * Return: one past the last word written.
 */
static __always_inline u64 *
tprof_unwind_in_place(const struct tprof_unwind_limits *limits, u64 *field,
		      const struct pt_regs *user, struct tprof_unwind_end *end)
{
	u64 *nr = field;
	const u64 *last = field + 2 + limits->frames;

	field[1] = PERF_CONTEXT_USER;
	field[2] = user->ip;
	field += 3;
	pagefault_disable();
	if (user_access_begin((void __user *)PAGE_SIZE, sizeof(struct tprof_unwind_frame))) {
		field = tprof_unwind_follow_frames(field, last, user->bp, end);
		user_access_end();
	}
	pagefault_enable();
	*nr = field - nr - 1;
	return field;
}

/**
 * tprof_unwind_by_tables - do the same as tprof_unwind_in_place(), by unwind tables
 * @limits:	length of the chain, and its walker
 * @field:	result: PERF_SAMPLE_CALLCHAIN, at most TPROF_WALK_MAX_MARKS more words
 * @user:	interrupted registers, of user mode
 * @end:	result, zero before the call: how the chain ends
 *
 * Context: NMI.
 * Return: one past the last word written.
 */
static __always_inline u64 *
tprof_unwind_by_tables(const struct tprof_unwind_limits *limits, u64 *field,
		       const struct pt_regs *user, struct tprof_unwind_end *end)
{
	const u64 *last = field + 2 + limits->frames;
	u64 *nr = field;

	field[1] = PERF_CONTEXT_USER;
	field[2] = user->ip;
	field = tprof_walker_walk_in_place(limits->walker, field + 3, last, user, end);
	*nr = field - nr - 1;
	return field;
}

/**
 * tprof_unwind_whole - do the same as tprof_unwind_by_tables(), if that is quick
 * @limits:	length of the chain, and its walker
 * @field:	result: PERF_SAMPLE_CALLCHAIN, at most @limits->frames + 2 words
 * @user:	interrupted registers, of user mode
 *
 * Context: NMI.
 * Return: one past the last word written; NULL if the chain does not reach an outermost frame
 * by cached rules: see tprof_walker_walk_whole().
 */
static __always_inline u64 *
tprof_unwind_whole(const struct tprof_unwind_limits *limits, u64 *field,
		   const struct pt_regs *user)
{
	const u64 *last = field + 2 + limits->frames;
	u64 *nr = field;

	field[1] = PERF_CONTEXT_USER;
	field[2] = user->ip;
	field = tprof_walker_walk_whole(limits->walker, field + 3, last, user);
	if (likely(field))
		*nr = field - nr - 1;
	return field;
}

#endif /* TPROF_CHAIN_H */
