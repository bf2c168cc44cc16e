// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the call chain of a sample, looked up
 */
#include <errno.h>
#include <stdlib.h>

#include "chain.h"
#include "load.h"

/**
 * chain_init - have room for chains
 * @chain:	to be freed by chain_free() whatever comes of this
 *
 * Return: 0 or -ENOMEM.
 */
int chain_init(struct chain *chain)
{
	*chain = (struct chain){ .frames = malloc(CHAIN_MAX * sizeof(*chain->frames)) };
	return chain->frames ? 0 : -ENOMEM;
}

/* Look up what was recorded. Return: 1 if the user's part is among it, or 0. */
static int find_recorded(struct chain *chain, struct world *world, const struct sample *sample,
			 bool is_kernel)
{
	bool has_user = false;
	u64 i, ip;
	int err;

	for (i = 0; i < sample->chain.nr; i++) {
		ip = load_u64(sample->chain.at + i * sizeof(ip));
		if (ip >= PERF_CONTEXT_MAX) {
			is_kernel = ip == PERF_CONTEXT_KERNEL;
			has_user |= ip == PERF_CONTEXT_USER;
			continue;
		}
		err = world_resolve(world, sample->pid, is_kernel, ip,
				    &chain->frames[chain->nr++]);
		if (err)
			return err;
	}
	return has_user;
}

/*
 * Where a call goes on need not be the same function: the last one of a function
 * that never returns is followed by another function.
 */
static int unwind(struct chain *chain, struct world *world, struct call_frame *frame, u32 pid)
{
	enum frame_end end = FRAME_MORE;
	bool was_interrupted = true;
	struct spot *spot;
	int i, err;

	for (i = 0; i < UNWIND_MAX && !end; i++) {
		spot = &chain->frames[chain->nr++];
		err = world_resolve(world, pid, false, frame->regs[FRAME_IP] - !was_interrupted,
				    spot);
		if (err)
			return err;
		end = frame_leave(frame, object_rules(spot->object, spot->addr), &was_interrupted);
	}
	chain->ends[end]++;
	return 0;
}

/**
 * chain_find - find the call chain of a sample
 * @chain:	the result
 * @world:	tasks, mappings and binaries, as they were then
 * @attr:	the sample's event
 * @sample:	the sample
 * @is_kernel:	it was taken in the kernel
 *
 * Return: 0 or -ENOMEM.
 */
int chain_find(struct chain *chain, struct world *world, const struct perf_event_attr *attr,
	       const struct sample *sample, bool is_kernel)
{
	struct call_frame frame;
	int ret;

	chain->nr = 0;
	ret = find_recorded(chain, world, sample, is_kernel);
	if (ret || !sample->stack_size || !frame_begin(&frame, sample, attr->sample_regs_user))
		return ret < 0 ? ret : 0;
	return unwind(chain, world, &frame, sample->pid);
}

/**
 * chain_free - give the memory back
 * @chain:	chains
 */
void chain_free(struct chain *chain)
{
	free(chain->frames);
}
