// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the table of different call stacks, with the number of samples in each
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/prefetch.h"
#include "profile/stacks.h"

/* Begin the stack of a sample. stacks_add_frames() and stacks_end() must follow. */
int stacks_begin(struct stacks *stacks, struct profile *profile, const struct subject *subject,
		 u64 period)
{
	int err = stacks->nr_waiting == STACKS_WAITING ? stacks_settle(stacks) : 0;

	if (err)
		return err;
	stacks->waiting[stacks->nr_waiting] = (struct waiting_stack){
		.profile = profile, .subject = subject, .period = period,
		.first = stacks->nr_frames,
		.hash = hash_number((uintptr_t)profile + subject->number),
	};
	return 0;
}

/* Mix a frame into the hash of a stack. stacks_end() completes the hash. */
static u64 add_to_hash(u64 hash, const struct stack_frame *frame)
{
	hash = (hash ^ frame->addr) * 0x9e3779b97f4a7c15ULL;
	hash = (hash ^ hash >> 32 ^ frame->object) * 0xff51afd7ed558ccdULL;
	return hash ^ hash >> 29;
}

static int make_room(struct stacks *stacks, size_t nr)
{
	size_t room = 2 * (stacks->nr_frames + nr);
	struct stack_frame *frames;

	if (stacks->nr_frames + nr <= stacks->frame_room)
		return 0;
	frames = reallocarray(stacks->frames, room, sizeof(*frames));
	if (!frames)
		return -ENOMEM;
	stacks->frames = frames;
	stacks->frame_room = room;
	return 0;
}

/*
 * Add frames to the stack that stacks_begin() began. @spots must be located, but may
 * lack their functions.
 */
int stacks_add_frames(struct stacks *stacks, const struct spot *spots, size_t nr)
{
	struct waiting_stack *waiting = &stacks->waiting[stacks->nr_waiting];
	struct stack_frame *frame;
	u64 hash = waiting->hash;
	size_t i;

	if (make_room(stacks, nr))
		return -ENOMEM;
	for (i = 0; i < nr; i++) {
		frame = &stacks->frames[stacks->nr_frames++];
		frame->addr = spots[i].addr;
		frame->object = (uintptr_t)spots[i].object |
				(spots[i].is_kernel ? KERNEL_FRAME : 0);
		hash = add_to_hash(hash, frame);
	}
	waiting->hash = hash;
	return 0;
}

/* Complete the stack. The next stacks_settle() counts its sample. */
void stacks_end(struct stacks *stacks)
{
	struct waiting_stack *waiting = &stacks->waiting[stacks->nr_waiting++];

	waiting->nr = stacks->nr_frames - waiting->first;
	waiting->hash = hash_number(waiting->hash);
	hash_table_expect(&stacks->table, waiting->hash);
}

/**
 * struct wanted - a stack to look up
 * @waiting:	the stack
 * @frames:	its frames
 */
struct wanted {
	const struct waiting_stack *waiting;
	const struct stack_frame *frames;
};

static bool is_stack(const void *entry, const void *key)
{
	const struct stack *stack = entry;
	const struct wanted *wanted = key;

	return stack->profile == wanted->waiting->profile &&
	       stack->subject == wanted->waiting->subject && stack->nr == wanted->waiting->nr &&
	       !memcmp(stack->frames, wanted->frames, stack->nr * sizeof(*stack->frames));
}

static struct stack *add(struct stacks *stacks, u64 hash, const struct wanted *wanted)
{
	const struct waiting_stack *waiting = wanted->waiting;
	size_t nr = stacks->table.nr, bytes = waiting->nr * sizeof(*wanted->frames);
	struct stack **list = array_grow(stacks->list, nr, &stacks->list_room, sizeof(*list));
	struct stack *stack;

	if (!list)
		return NULL;
	stacks->list = list;
	stack = arena_get(&stacks->memory, sizeof(*stack) + bytes);
	if (!stack || hash_table_add(&stacks->table, hash, stack))
		return NULL;
	stack->profile = waiting->profile;
	stack->subject = waiting->subject;
	stack->nr = waiting->nr;
	memcpy(stack->frames, wanted->frames, bytes);
	stacks->bytes += sizeof(*stack) + bytes;
	list[nr] = stack;
	return stack;
}

/* Prefetch the first stack with this hash: probably, it is the wanted stack. */
static void expect(const struct stacks *stacks, u64 hash)
{
	const struct stack *stack = hash_table_find(&stacks->table, hash, NULL, NULL);

	if (!stack)
		return;
	prefetch(stack);
	prefetch(stack->frames + 2);
	prefetch(stack->frames + 6);
}

/* Look up the stack of each waiting sample, and add the sample to that stack. */
int stacks_settle(struct stacks *stacks)
{
	const struct waiting_stack *waiting = stacks->waiting, *end = waiting + stacks->nr_waiting;
	struct wanted wanted;
	struct stack *stack;

	for (; waiting < end; waiting++)
		expect(stacks, waiting->hash);
	for (waiting = stacks->waiting; waiting < end; waiting++) {
		wanted = (struct wanted){ waiting, stacks->frames + waiting->first };
		stack = hash_table_find(&stacks->table, waiting->hash, is_stack, &wanted);
		if (!stack)
			stack = add(stacks, waiting->hash, &wanted);
		if (!stack)
			return -ENOMEM;
		stack->samples++;
		stack->period += waiting->period;
	}
	stacks->nr_waiting = 0;
	stacks->nr_frames = 0;
	return 0;
}

/*
 * Find or add the stack with the profile and frames of @stack, but with another subject. The
 * caller adds the samples. Return NULL if memory runs out.
 */
struct stack *stacks_merge(struct stacks *stacks, const struct stack *stack,
			   const struct subject *subject)
{
	u64 hash = hash_number((uintptr_t)stack->profile + subject->number);
	const struct waiting_stack waiting = { .profile = stack->profile, .subject = subject,
					       .nr = stack->nr };
	struct wanted wanted = { &waiting, stack->frames };
	struct stack *found;
	size_t i;

	for (i = 0; i < stack->nr; i++)
		hash = add_to_hash(hash, &stack->frames[i]);
	hash = hash_number(hash);
	found = hash_table_find(&stacks->table, hash, is_stack, &wanted);
	return found ? found : add(stacks, hash, &wanted);
}

/* Remove all stacks. The caller has counted their samples. */
void stacks_clear(struct stacks *stacks)
{
	hash_table_free(&stacks->table, NULL);
	arena_free(&stacks->memory);
	stacks->bytes = 0;
}

void stacks_free(struct stacks *stacks)
{
	stacks_clear(stacks);
	free(stacks->list);
	free(stacks->frames);
	*stacks = (struct stacks){ 0 };
}
