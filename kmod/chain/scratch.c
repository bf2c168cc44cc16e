// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - scratch memory for call chains
 */
#include <linux/errno.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/preempt.h>

#include "base/gfp.h"
#include "chain/scratch.h"

/*
 * Number of values of interrupt_context_level(): task, softirq, hard interrupt, NMI.
 */
#define NR_LEVELS	4

/**
 * struct scratch - memory for the chains of a CPU, for each context
 * @chains:	the chain
 * @gathers:	what gathers it; not on the stack, of which an NMI has little
 */
struct scratch {
	struct tprof_chain	chains[NR_LEVELS];
	struct tprof_gather	gathers[NR_LEVELS];
};

/* Protects @scratches and @nr_users. Taken inside the session lock. */
static DEFINE_MUTEX(scratch_lock);
static struct scratch __percpu *scratches;
static u32 nr_users;

/**
 * tprof_scratch_get - take a reference to the scratch memory
 *
 * The first user allocates it.
 *
 * Context: process, may sleep.
 * Return: 0 or -ENOMEM.
 */
int tprof_scratch_get(void)
{
	guard(mutex)(&scratch_lock);
	if (!nr_users) {
		scratches = alloc_percpu_gfp(struct scratch, TPROF_GFP);
		if (!scratches)
			return -ENOMEM;
	}
	nr_users++;
	return 0;
}

/**
 * tprof_scratch_put - drop a reference to the scratch memory
 *
 * The last user frees it.
 *
 * Context: process, may sleep.
 */
void tprof_scratch_put(void)
{
	guard(mutex)(&scratch_lock);
	if (--nr_users)
		return;
	free_percpu(scratches);
	scratches = NULL;
}

/**
 * tprof_scratch_here - return the memory of this CPU and this context
 *
 * Context: any, NMI included, not preemptible; a user has a reference.
 * Return: memory that is valid until the next call on this CPU in this context.
 */
struct tprof_gather *tprof_scratch_here(void)
{
	struct scratch *scratch = this_cpu_ptr(scratches);
	u8 level = interrupt_context_level();
	struct tprof_gather *gather = &scratch->gathers[level];

	gather->chain = &scratch->chains[level];
	return gather;
}
