/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - call chains: the callers of the interrupted code
 *
 * The kernel's unwinder walks the kernel part of a chain (by_kernel.h). One of several ways leads
 * through the user part. A way is a file with three functions, and this header has a door to each:
 *
 *   tprof_chain_write()	NMI that interrupted 64-bit user code	in place, in the record
 *   tprof_chain_gather()	any context, any code			in scratch memory
 *   tprof_chain_complete()	the task, may sleep			what an NMI could not read
 *
 * To add a way, write these functions, and add a value to enum tprof_chain_way, with its cases
 * here and in chain.c.
 *
 * An NMI that interrupted 64-bit user code has the page tables of the task loaded. So access
 * to user memory is enabled once for all frames, and each address is checked and masked before
 * it is read. User frames are found as long as their memory can be read without a page fault.
 */
#ifndef TPROF_CHAIN_H
#define TPROF_CHAIN_H

#include <linux/compiler.h>
#include <linux/tprof_lx.h>
#include <linux/types.h>

#include "chain/by_frames.h"
#include "chain/by_tables.h"
#include "chain/end.h"
#include "chain/gather.h"
#include "chain/user_regs.h"
#include "chain/walker.h"

/**
 * enum tprof_chain_way - how the user part of a chain is found
 * @TPROF_CHAIN_NO_USER:   a chain has no user part
 * @TPROF_CHAIN_BY_FRAMES: by frame pointers
 * @TPROF_CHAIN_BY_TABLES: by unwind tables; 32-bit code by frame pointers
 */
enum tprof_chain_way {
	TPROF_CHAIN_NO_USER,
	TPROF_CHAIN_BY_FRAMES,
	TPROF_CHAIN_BY_TABLES,
} __packed;

/**
 * struct tprof_chain_plan - parts, length and way of an event's chains
 * @frames:	maximum number of frames; 0 for no chain
 * @way:	how the user part is found
 * @kernel:	include frames of the kernel
 * @deferred:	let the task complete the chain if a user frame is not present
 * @stack_bytes: maximum bytes of stack to copy if a table is not there yet; 0 for no copy
 * @walker:	of TPROF_CHAIN_BY_TABLES, else NULL
 */
struct tprof_chain_plan {
	u32			frames;
	enum tprof_chain_way	way;
	bool			kernel;
	bool			deferred;
	u32			stack_bytes;
	struct tprof_walker	*walker;
};

int tprof_chain_prepare(struct tprof_chain_plan *plan, struct tprof_tables *tables);
void tprof_chain_release(struct tprof_chain_plan *plan);
u32 tprof_chain_max_words(const struct tprof_chain_plan *plan);

const struct tprof_chain *
tprof_chain_gather(const struct tprof_chain_plan *plan, struct pt_regs *regs,
		   struct tprof_chain_end *end);
struct tprof_chain_end tprof_chain_complete(struct tprof_chain *chain, u32 frames,
					    const struct pt_regs *user,
					    struct tprof_tables *tables);
void tprof_chain_check_end(struct tprof_chain_end *end, const struct pt_regs *user);

/* Return the tables by which chains are found, or NULL. */
static inline struct tprof_tables *tprof_chain_tables(const struct tprof_chain_plan *plan)
{
	return plan->walker ? plan->walker->tables : NULL;
}

/* Add what the walks of an event have counted on a CPU to a sum. */
static inline void tprof_chain_add_counts(const struct tprof_chain_plan *plan, int cpu,
					  struct tprof_lx_stats *stats)
{
	if (plan->walker)
		tprof_walker_add_counts(plan->walker, cpu, stats);
}

/**
 * tprof_chain_write - write the call chain of 64-bit user code into its record
 * @plan:	length and way of the chain; it has a user part
 * @field:	result: PERF_SAMPLE_CALLCHAIN, at most tprof_chain_max_words()
 * @user:	interrupted registers, of user mode
 * @end:	result, zero before the call: how the chain ends. If @cuts is not 0, the
 *		caller then calls tprof_chain_check_end().
 *
 * Context: NMI.
 * Return: one past the last word written.
 */
static __always_inline u64 *
tprof_chain_write(const struct tprof_chain_plan *plan, u64 *field,
		  const struct pt_regs *user, struct tprof_chain_end *end)
{
	if (plan->way == TPROF_CHAIN_BY_TABLES)
		return tprof_by_tables_write(plan->walker, plan->frames, field, user, end);
	return tprof_by_frames_write(plan->frames, field, user, end);
}

#endif /* TPROF_CHAIN_H */
