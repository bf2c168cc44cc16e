// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the parallelism of samples: how many targets ran when the sample was taken
 */
#include <linux/tprof_lx.h>

#include "perfdata/parallelism.h"

/*
 * Append the record that says that the weights of an event are parallelism.
 *
 * @id: identifier of the event
 * @sample_type: its sample_type
 */
void parallelism_add_mark(struct bytes *out, u64 id, u64 sample_type)
{
	const struct record_trailer trailer = { .id = id, .sample_type = sample_type };

	record_cgroup(out, &trailer, 0, TPROF_LX_PARALLELISM_PATH);
}

/* Return true if @body, a record of @type, says that the weights of its event are parallelism. */
bool parallelism_is_mark(const struct record_body *body, u32 type)
{
	return record_own_path(body, type, TPROF_LX_PARALLELISM_PATH);
}

/*
 * Return the latency of a sample without its fraction, which goes to a later one. So the sum is
 * right to 1, even if all latencies are less.
 *
 * @rest: fractions that earlier samples of the event have left, at first 0
 */
u64 latency_of(u64 period, u64 parallelism, double *rest)
{
	double part = *rest + (double)(period % parallelism) / parallelism;

	*rest = part >= 1 ? part - 1 : part;
	return period / parallelism + (part >= 1);
}

/* Add the latency of samples to @sum. */
void latency_add(struct latency_sum *sum, u64 period, u64 parallelism)
{
	sum->whole += period / parallelism;
	sum->parts += (double)(period % parallelism) / parallelism;
}
