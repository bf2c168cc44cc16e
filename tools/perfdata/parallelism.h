/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the parallelism of samples: how many targets ran when the sample was taken
 *
 * Samples have it as their weight. Other recordings have other weights, so a CGROUP record
 * before the samples of an event says that this is one.
 */
#ifndef TPROF_PARALLELISM_H
#define TPROF_PARALLELISM_H

#include "perfdata/layout.h"
#include "perfdata/record_make.h"
#include "perfdata/record_types.h"

/**
 * struct latency_sum - a sum of latencies
 * @whole:	its integer
 * @parts:	its fractions
 */
struct latency_sum {
	u64	whole;
	double	parts;
};

void parallelism_add_mark(struct bytes *out, u64 id, u64 sample_type);
bool parallelism_is_mark(const struct record_body *body, u32 type);
u64 latency_of(u64 period, u64 parallelism, double *rest);
void latency_add(struct latency_sum *sum, u64 period, u64 parallelism);

/* Return the parallelism in @weight, which is at least 1 unless the file is damaged. */
static inline u64 parallelism_of(u64 weight)
{
	return weight ? weight : 1;
}

/* Return a sum without its fraction. */
static inline u64 latency_whole(const struct latency_sum *sum)
{
	return sum->whole + (u64)sum->parts;
}

#endif /* TPROF_PARALLELISM_H */
