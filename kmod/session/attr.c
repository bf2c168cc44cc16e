// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the supported part of struct perf_event_attr
 *
 * Unsupported bits are refused, so the attr in a recording describes exactly the
 * event that ran.
 *
 * Context: process.
 */
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/sched/clock.h>
#include <linux/string.h>
#include <linux/timekeeping.h>

#include "base/mono.h"
#include "base/params.h"
#include "chain/snapshot.h"
#include "sample/sampler.h"
#include "session/attr.h"
#include "track/track.h"

static bool has_unknown_bits(const struct perf_event_attr *attr)
{
	return attr->__reserved_1 || attr->__reserved_2 ||
	       attr->sample_type >= PERF_SAMPLE_MAX ||
	       attr->read_format >= PERF_FORMAT_MAX;
}

/* Return true if the attr requests READ records, in the only format that they have here. */
static bool has_read_records(const struct perf_event_attr *attr)
{
	return attr->inherit && attr->inherit_stat &&
	       attr->read_format == (PERF_FORMAT_TOTAL_TIME_ENABLED |
				     PERF_FORMAT_TOTAL_TIME_RUNNING | PERF_FORMAT_ID);
}

/*
 * Clear the supported fields in a copy; all other fields must be zero. So a
 * field that a newer kernel adds is refused until it is supported here.
 */
static bool has_unsupported_bits(const struct perf_event_attr *attr)
{
	struct perf_event_attr rest = *attr;

	rest.type = 0;
	rest.size = 0;
	rest.config = 0;
	rest.sample_period = 0;
	rest.freq = 0;
	rest.sample_type &= ~TPROF_SAMPLE_TYPES;
	rest.exclude_user = 0;
	rest.exclude_kernel = 0;
	rest.exclude_idle = 0;
	rest.enable_on_exec = 0;
	rest.exclude_host = 0;
	rest.exclude_guest = 0;
	rest.exclude_callchain_kernel = 0;
	rest.exclude_callchain_user = 0;
	rest.sample_max_stack = 0;
	rest.sample_regs_user = 0;
	rest.sample_stack_user = 0;
	rest.comm = 0;
	rest.comm_exec = 0;
	rest.task = 0;
	rest.mmap = 0;
	rest.mmap2 = 0;
	rest.mmap_data = 0;
	rest.build_id = 0;
	rest.context_switch = 0;
	rest.sample_id_all = 0;
	rest.use_clockid = 0;
	rest.clockid = 0;
	if (has_read_records(attr)) {
		rest.inherit = 0;
		rest.inherit_stat = 0;
		rest.read_format = 0;
	}
	if (rest.watermark)
		rest.wakeup_watermark = 0;
	rest.watermark = 0;
	return memchr_inv(&rest, 0, sizeof(rest));
}

/*
 * Return true if an event that only counts requests what such an event does not have. It can
 * have READ records, with a trailer.
 */
static bool wants_too_much(const struct perf_event_attr *attr)
{
	u64 types = attr->inherit_stat ? TPROF_SAMPLE_ID_TYPES : 0;

	return attr->freq || attr->sample_type & ~types || attr->watermark ||
	       (attr->sample_id_all && !attr->sample_type) || tprof_attr_wants(attr);
}

static bool is_chain_contradictory(const struct perf_event_attr *attr)
{
	if (attr->sample_type & PERF_SAMPLE_CALLCHAIN)
		return attr->exclude_callchain_kernel &&
		       attr->exclude_callchain_user;
	return attr->exclude_callchain_kernel || attr->exclude_callchain_user ||
	       attr->sample_max_stack;
}

/*
 * PERF_SAMPLE_REGS_USER and a mask of registers require each other, as do
 * PERF_SAMPLE_STACK_USER and a stack size. Return true if one is set without
 * the other. Also return true if the mask or the size is not supported.
 */
static bool is_snapshot_contradictory(const struct perf_event_attr *attr)
{
	u64 type = attr->sample_type;

	return !(type & PERF_SAMPLE_REGS_USER) != !attr->sample_regs_user ||
	       !(type & PERF_SAMPLE_STACK_USER) != !attr->sample_stack_user ||
	       attr->sample_regs_user & ~TPROF_SNAPSHOT_REGS ||
	       attr->sample_stack_user % sizeof(u64) ||
	       /* With a larger size, the length of a sample could overflow a u32. */
	       attr->sample_stack_user > U16_MAX;
}

static bool is_contradictory(const struct perf_event_attr *attr)
{
	bool is_sampling = tprof_attr_is_sampling(attr);

	return (is_sampling && !attr->sample_type) ||
	       (!is_sampling && wants_too_much(attr)) ||
	       (attr->exclude_user && attr->exclude_kernel) ||
	       (attr->exclude_host && attr->exclude_guest) ||
	       is_chain_contradictory(attr) ||
	       is_snapshot_contradictory(attr) ||
	       (attr->comm_exec && !attr->comm) ||
	       (attr->mmap2 && !attr->mmap) ||
	       (attr->mmap_data && !attr->mmap) ||
	       (attr->build_id && !attr->mmap2) ||
	       (attr->clockid && !attr->use_clockid) ||
	       (attr->watermark && !attr->wakeup_watermark);
}

/**
 * tprof_attr_is_sampling - report whether an event takes samples
 * @attr:	attr of the event
 *
 * Return: true if it samples, false if it only counts.
 */
bool tprof_attr_is_sampling(const struct perf_event_attr *attr)
{
	/* @sample_freq and @sample_period are in one union, so this covers both. */
	return attr->sample_period;
}

/**
 * tprof_attr_check - check that every bit of an attr is supported
 * @attr:	attr of the event
 *
 * The back end checks type and config; tprof_event_alloc() checks the period.
 *
 * Return: 0; -EINVAL for unknown bits and contradictions; -EOPNOTSUPP for
 * features of perf_event_open(2) that this module lacks; -EOVERFLOW if
 * sample_max_stack exceeds the module parameter max_stack.
 */
int tprof_attr_check(const struct perf_event_attr *attr)
{
	if (has_unknown_bits(attr))
		return -EINVAL;
	if (has_unsupported_bits(attr))
		return -EOPNOTSUPP;
	if (is_contradictory(attr) || !tprof_attr_clock(attr))
		return -EINVAL;
	if (attr->sample_max_stack > tprof_params_max_stack())
		return -EOVERFLOW;
	return 0;
}

/**
 * tprof_attr_clock - find the clock of an event's timestamps
 * @attr:	attr of the event
 *
 * Return: a function that reads the clock in any context, NMI included, or NULL if the
 * clock is not supported. Without use_clockid, the function is local_clock(), perf's
 * default.
 */
tprof_sample_clock_t tprof_attr_clock(const struct perf_event_attr *attr)
{
	if (!attr->use_clockid)
		return local_clock;
	switch (attr->clockid) {
	case CLOCK_MONOTONIC:
		return tprof_mono_clock;
	case CLOCK_MONOTONIC_RAW:
		return ktime_get_raw_fast_ns;
	case CLOCK_REALTIME:
		return ktime_get_real_fast_ns;
	case CLOCK_BOOTTIME:
		return ktime_get_boot_fast_ns;
	case CLOCK_TAI:
		return ktime_get_tai_fast_ns;
	default:
		return NULL;
	}
}

/**
 * tprof_attr_chain - derive parts, length and way of an event's call chains
 * @attr:	attr of the event
 *
 * Return: the plan; @frames is 0 if the attr requests no chain.
 */
struct tprof_chain_plan tprof_attr_chain(const struct perf_event_attr *attr)
{
	struct tprof_chain_plan plan = {
		.kernel = !attr->exclude_callchain_kernel,
		.way = attr->exclude_callchain_user ? TPROF_CHAIN_NO_USER :
						      TPROF_CHAIN_BY_FRAMES,
	};

	if (attr->sample_type & PERF_SAMPLE_CALLCHAIN)
		plan.frames = attr->sample_max_stack ?: tprof_params_max_stack();
	return plan;
}

/**
 * tprof_attr_wants - derive the side-band records that an event requests
 * @attr:	attr of the event
 *
 * Return: bits of enum tprof_track_want.
 */
u32 tprof_attr_wants(const struct perf_event_attr *attr)
{
	return (attr->comm ? TPROF_TRACK_COMM : 0) |
	       (attr->comm_exec ? TPROF_TRACK_COMM_EXEC : 0) |
	       (attr->task ? TPROF_TRACK_TASK : 0) |
	       (attr->mmap ? TPROF_TRACK_MMAP | TPROF_TRACK_MODULE : 0) |
	       (attr->mmap2 ? TPROF_TRACK_MMAP2 : 0) |
	       (attr->mmap_data ? TPROF_TRACK_MMAP_DATA : 0) |
	       (attr->build_id ? TPROF_TRACK_BUILD_ID : 0) |
	       (attr->context_switch ? TPROF_TRACK_SWITCH : 0);
}
