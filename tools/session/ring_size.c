// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - choose the size of each CPU's ring
 *
 * A ring keeps RING_SECONDS of samples, so that a short stall of the output loses none.
 */
#include <unistd.h>

#include "session/session_events.h"

#define RING_SECONDS	2
/* All rings together use at most 1 / MEMORY_SHARE of the machine's memory. */
#define MEMORY_SHARE	32
/* Assume this many frames in a call chain, although some chains have more. */
#define CHAIN_FRAMES	32
/* Size of a sample in bytes, without the fields that options add. */
#define SAMPLE_BYTES	56

static u64 sample_bytes(const struct perf_event_attr *attr)
{
	u64 bytes = SAMPLE_BYTES;

	if (attr->sample_type & PERF_SAMPLE_CALLCHAIN)
		bytes += CHAIN_FRAMES * sizeof(u64);
	if (attr->sample_type & PERF_SAMPLE_REGS_USER)
		bytes += __builtin_popcountll(attr->sample_regs_user) * sizeof(u64);
	return bytes + attr->sample_stack_user;
}

/*
 * Return the number of samples per second and CPU, at most @max. A clock has a
 * period in ns; for any other event, assume one event per ns.
 */
static u64 sample_rate(const struct perf_event_attr *attr, u64 max)
{
	u64 rate = attr->sample_freq;

	if (!attr->freq)
		rate = attr->sample_period ? NSEC_PER_SEC / attr->sample_period : 0;
	return rate < max ? rate : max;
}

/* Return the largest size of a ring in bytes. */
static u64 ring_limit(const struct tprof_lx_info *info)
{
	u64 memory = (u64)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);
	u64 limit = memory / MEMORY_SHARE / info->nr_cpus;

	return limit < info->ring_max ? limit : info->ring_max;
}

/*
 * Return the size of a ring in bytes, which is a power of two. If the module's default
 * is large enough, return 0.
 */
u64 session_ring_bytes(const struct session_events *events, const struct tprof_lx_info *info)
{
	u64 wanted = 0, limit = ring_limit(info), size = info->ring_min;
	u32 i;

	for (i = 0; i < events->nr; i++)
		wanted += RING_SECONDS * sample_bytes(&events->all[i].attr) *
			  sample_rate(&events->all[i].attr, info->max_rate);
	while (size < wanted && 2 * size <= limit)
		size *= 2;
	return size > info->ring_default ? size : 0;
}
