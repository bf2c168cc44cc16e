// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - find the call chain of a sample
 */
#include <errno.h>
#include <stdlib.h>

#include "base/load.h"
#include "symbols/object_dwarf.h"
#include "world/chain.h"

/* Allocate memory for one chain. Call chain_free() even if this fails. */
int chain_init(struct chain *chain)
{
	*chain = (struct chain){ .frames = malloc(FRAMES_MAX * sizeof(*chain->frames)) };
	return chain->frames ? 0 : -ENOMEM;
}

/* Add one frame for each function that is inlined at @spot. */
static int add_inlined(struct chain *chain, struct world *world, struct spot *spot)
{
	const struct inline_list *inlines;
	int err = world_find_function(world, spot);
	size_t i;

	if (err || !spot->symbol->name)
		return err;
	inlines = object_inlines(&world->objects.sources, spot->object, spot->addr, spot->symbol);
	if (!inlines)
		return -ENOMEM;
	for (i = 0; i < inlines->nr && chain->nr < (int)CHAIN_MAX; i++) {
		chain->frames[chain->nr] = *spot;
		chain->frames[chain->nr++].symbol = inlines->functions[i].symbol;
	}
	return 0;
}

/*
 * Add the frame of @ip. With option --inline, first add one frame for each function
 * that is inlined at @ip. Return the frame of @ip, or NULL if out of memory.
 */
static struct spot *add_frame(struct chain *chain, struct world *world, u32 pid, bool is_kernel,
			      u64 ip)
{
	struct spot spot;

	if (world_locate(world, pid, is_kernel, ip, &spot))
		return NULL;
	if (world->objects.sources.options.inlines && add_inlined(chain, world, &spot))
		return NULL;
	chain->frames[chain->nr] = spot;
	return &chain->frames[chain->nr++];
}

/*
 * Add the recorded frames. Each mark of the user after the first one changes how frames were
 * found: see TPROF_LX_EVENT_TABLES. Return 1 if they include user frames; 0 if not; -ENOMEM
 * if memory runs out.
 */
static int find_recorded(struct chain *chain, struct world *world, const struct sample *sample,
			 bool is_kernel)
{
	bool has_user = false, by_frame = false;
	struct spot *spot;
	u64 i, ip, nr = 0;

	for (i = 0; i < sample->chain.nr; i++) {
		ip = load_u64(sample->chain.at + i * sizeof(ip));
		if (ip >= PERF_CONTEXT_MAX) {
			is_kernel = ip == PERF_CONTEXT_KERNEL;
			by_frame ^= has_user && ip == PERF_CONTEXT_USER;
			has_user |= ip == PERF_CONTEXT_USER;
			continue;
		}
		if (nr++ == RECORDED_MAX) {
			chain->ends[FRAME_MORE]++;
			break;
		}
		spot = add_frame(chain, world, sample->pid, is_kernel, ip);
		if (!spot)
			return -ENOMEM;
		spot->by_frame = by_frame;
	}
	return has_user;
}

/*
 * Unwind the user frames. If a call never returns, its return address may lie in the
 * next function, so look up the return address - 1. Do not subtract 1 for a frame
 * that a signal or the sample interrupted, nor for the signal frame: no call pushed
 * their addresses.
 */
static int unwind(struct chain *chain, struct world *world, struct call_frame *frame, u32 pid)
{
	enum frame_end end = FRAME_MORE;
	bool was_interrupted = true;
	struct spot *spot;
	int i, begun, err = 0;
	u64 ip;

	for (i = 0; i < UNWIND_MAX && !end && !err; i++) {
		ip = frame->regs[FRAME_IP];
		begun = chain->nr;
		spot = add_frame(chain, world, pid, false, ip - !was_interrupted);
		/* world_find_function() loads the binary for object_rules(). */
		if (!spot || world_find_function(world, spot))
			return -ENOMEM;
		end = frame_leave(frame, object_rules(spot->object, spot->addr), &was_interrupted);
		if (was_interrupted) {
			chain->nr = begun;
			err = add_frame(chain, world, pid, false, ip) ? 0 : -ENOMEM;
		}
	}
	chain->ends[end]++;
	return err;
}

/*
 * Find the call chain of a sample. All earlier records must have been applied to
 * @world. Without option --inline, functions are looked up only for frames that are
 * unwound from the copied stack. Recorded frames and signal frames then have a NULL symbol.
 *
 * @is_kernel: the sample was taken in the kernel
 */
int chain_locate(struct chain *chain, struct world *world, const struct perf_event_attr *attr,
		 const struct sample *sample, bool is_kernel)
{
	struct call_frame frame;
	int ret;

	chain->nr = 0;
	ret = find_recorded(chain, world, sample, is_kernel);
	if (ret || !sample->stack_size)
		return ret < 0 ? ret : 0;
	if (!frame_begin(&frame, sample, attr->sample_regs_user)) {
		chain->ends[FRAME_NOT_BEGUN]++;
		return 0;
	}
	return unwind(chain, world, &frame, sample->pid);
}

/* Same as chain_locate(), but also find the functions of all frames. */
int chain_find(struct chain *chain, struct world *world, const struct perf_event_attr *attr,
	       const struct sample *sample, bool is_kernel)
{
	int i, err = chain_locate(chain, world, attr, sample, is_kernel);

	for (i = 0; i < chain->nr && !err; i++) {
		if (!chain->frames[i].symbol)
			err = world_find_function(world, &chain->frames[i]);
	}
	return err;
}

void chain_free(struct chain *chain)
{
	free(chain->frames);
}
