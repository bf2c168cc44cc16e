/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the table of different call stacks, with the number of samples in each
 *
 * Most samples have one of a few thousand stacks. A stack is a list of addresses in
 * binaries, together with the task and CPU if keys depend on them (subjects.h). The
 * functions of a stack do not change over time. So gather_settle_stacks() looks them
 * up, and adds their path to the call trees, once per stack and not once per sample.
 *
 * Up to STACKS_WAITING samples wait until stacks_settle() looks up all their stacks,
 * so that the cache misses of these lookups overlap.
 *
 * Stacks are added to the call trees at the end, or when they take 64 MiB, in the order of
 * their first samples. So branches of a tree with equal periods keep their order. Samples are
 * counted one by one if inlined functions or states are shown, or if a table is shown of
 * samples with a copy of the stack.
 */
#ifndef TPROF_STACKS_H
#define TPROF_STACKS_H

#include "base/arena.h"
#include "profile/subjects.h"

/*
 * If the stacks take more bytes than this, gather_add_stack() counts their samples
 * and removes the stacks.
 */
#define STACKS_MAX_BYTES	(64UL << 20)

/* This bit of stack_frame.object is free because objects are aligned. */
#define KERNEL_FRAME	1UL

/**
 * struct stack_frame - an address in a binary
 * @addr:	the address
 * @object:	address of the struct object, plus KERNEL_FRAME if @addr is in the kernel
 */
struct stack_frame {
	u64	addr;
	uintptr_t object;
};

/**
 * struct stack - a call stack and its samples
 * @profile:	the profile to count the samples in
 * @subject:	task and CPU
 * @samples:	number of samples
 * @period:	sum of the periods of the samples
 * @nr:		number of @frames
 * @frames:	the address of the sample, then its call chain, innermost first
 */
struct stack {
	struct profile *profile;
	const struct subject *subject;
	u64	samples;
	u64	period;
	size_t	nr;
	struct stack_frame frames[];
};

#define STACKS_WAITING	16

/**
 * struct waiting_stack - the stack of a sample that waits for its lookup
 * @profile:	the profile to count the sample in
 * @subject:	task and CPU
 * @hash:	hash of the stack
 * @period:	period of the sample
 * @first:	index of the first frame in stacks.frames
 * @nr:		number of frames
 */
struct waiting_stack {
	struct profile *profile;
	const struct subject *subject;
	u64	hash;
	u64	period;
	size_t	first;
	size_t	nr;
};

/**
 * struct stacks - all different stacks; empty if all members are zero
 * @table:	the stacks
 * @memory:	memory of the stacks
 * @bytes:	number of bytes of all stacks
 * @list:	the stacks in the order of their first samples
 * @list_room:	capacity of @list
 * @waiting:	samples that wait for their lookup
 * @nr_waiting:	number of @waiting
 * @frames:	frames of the waiting samples
 * @nr_frames:	number of @frames
 * @frame_room:	capacity of @frames
 */
struct stacks {
	struct hash_table table;
	struct arena memory;
	size_t	bytes;
	struct stack **list;
	size_t	list_room;
	struct waiting_stack waiting[STACKS_WAITING];
	size_t	nr_waiting;
	struct stack_frame *frames;
	size_t	nr_frames;
	size_t	frame_room;
};

int stacks_begin(struct stacks *stacks, struct profile *profile, const struct subject *subject,
		 u64 period);
int stacks_add_frames(struct stacks *stacks, const struct spot *spots, size_t nr);
void stacks_end(struct stacks *stacks);
struct stack *stacks_merge(struct stacks *stacks, const struct stack *stack,
			   const struct subject *subject);
int stacks_settle(struct stacks *stacks);
void stacks_clear(struct stacks *stacks);
void stacks_free(struct stacks *stacks);

static inline bool stacks_are_full(const struct stacks *stacks)
{
	return stacks->bytes > STACKS_MAX_BYTES;
}

/* Return the location of a frame, without its function. */
static inline struct spot stack_spot(const struct stack_frame *frame)
{
	return (struct spot){ .ip = frame->addr, .addr = frame->addr,
			      .object = (struct object *)(frame->object & ~KERNEL_FRAME),
			      .is_kernel = frame->object & KERNEL_FRAME };
}

#endif /* TPROF_STACKS_H */
