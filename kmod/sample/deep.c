// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the parts of a sample with a variable length
 *
 * Context: any, NMI included, not preemptible. No locks, no allocation.
 */
#include <linux/string.h>

#include "chain/snapshot.h"
#include "sample/deep.h"

/**
 * tprof_deep_find - find the parts of a sample with a variable length
 * @sampler:	sampler of the event
 * @regs:	interrupted registers
 * @deep:	result; zeroed before
 */
void tprof_deep_find(const struct tprof_sampler *sampler, struct pt_regs *regs,
		     struct tprof_deep *deep)
{
	/* A variable for @sample_type would take 8 bytes more of the deepest stack in an NMI. */
	if (sampler->sample_type & PERF_SAMPLE_CALLCHAIN) {
		deep->chain = tprof_chain_gather(&sampler->chain, regs, &deep->end);
		deep->bytes += sizeof(u64) * (1 + deep->chain->nr);
	}
	if (sampler->sample_type & PERF_SAMPLE_RAW)
		deep->bytes += sizeof(u64);
	if (sampler->sample_type & PERF_SAMPLE_WEIGHT)
		deep->bytes += sizeof(u64);
	if (!(sampler->sample_type & (PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER)))
		return;
	deep->user = tprof_user_regs(regs);
	if (sampler->sample_type & PERF_SAMPLE_REGS_USER)
		deep->bytes += tprof_snapshot_regs_bytes(sampler->user_regs,
							 deep->user);
	if (sampler->sample_type & PERF_SAMPLE_STACK_USER)
		deep->bytes += tprof_snapshot_stack_bytes(sampler->user_stack,
							  deep->user);
}

/**
 * tprof_deep_write - write the parts of a sample with a variable length
 * @sampler:	sampler of the event
 * @field:	place of the first part in the record
 * @deep:	result of tprof_deep_find()
 */
void tprof_deep_write(const struct tprof_sampler *sampler, u64 *field,
		      const struct tprof_deep *deep)
{
	u64 type = sampler->sample_type;

	if (type & PERF_SAMPLE_CALLCHAIN) {
		*field++ = deep->chain->nr;
		memcpy(field, deep->chain->ips, deep->chain->nr * sizeof(u64));
		field += deep->chain->nr;
	}
	if (type & PERF_SAMPLE_RAW)
		*field++ = tprof_sample_words(sizeof(u32), sampler->pmu.ops->raw(&sampler->pmu));
	if (type & PERF_SAMPLE_REGS_USER)
		field = tprof_snapshot_write_regs(field, sampler->user_regs,
						  deep->user);
	if (type & PERF_SAMPLE_STACK_USER)
		field = tprof_snapshot_write_stack(field, sampler->user_stack, deep->user);
	if (type & PERF_SAMPLE_WEIGHT)
		*field = tprof_sample_parallelism(sampler);
}
