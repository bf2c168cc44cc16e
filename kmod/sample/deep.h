/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the parts of a sample with a variable length
 *
 * Their length must be known before the sample's space is reserved. So they are found first.
 *
 * Context: any, NMI included, not preemptible. No locks, no allocation.
 */
#ifndef TPROF_DEEP_H
#define TPROF_DEEP_H

#include "sample/sampler.h"

/**
 * struct tprof_deep - the parts of a sample with a variable length
 * @chain:	call chain
 * @user:	result of tprof_user_regs()
 * @bytes:	length of all parts but the copy of the stack
 * @stack_bytes: length of the copy of the stack for the chain, 0 for none
 * @end:	how @chain ends
 */
struct tprof_deep {
	const struct tprof_chain *chain;
	struct pt_regs		*user;
	u32			bytes;
	u32			stack_bytes;
	struct tprof_chain_end	end;
};

void tprof_deep_find(const struct tprof_sampler *sampler, struct pt_regs *regs,
		     struct tprof_deep *deep);
void tprof_deep_write(const struct tprof_sampler *sampler, u64 *field,
		      const struct tprof_deep *deep);

#endif /* TPROF_DEEP_H */
