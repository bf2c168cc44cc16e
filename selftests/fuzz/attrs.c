// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - make random events, most of them valid
 */
#include "harness/common.h"
#include "fuzz/attrs.h"

/* Event code of retired instructions, the same on Intel and AMD. */
#define RAW_RETIRED	0xc0

/*
 * Maximum of random periods. Clocks accept this period, and many periods below it are so
 * long that the module does not lengthen them.
 */
#define PERIODS		2000000

/* Choose an event of the back end `soft`, or one like it that this back end refuses. */
static void soft_roll(struct dice *dice, struct perf_event_attr *attr)
{
	bool is_raw = dice_roll(dice, 2);
	__u64 last = is_raw ? TPROF_LX_SOFT_WAKEUPS : PERF_COUNT_SW_CPU_MIGRATIONS;

	attr->type = is_raw ? PERF_TYPE_RAW : PERF_TYPE_SOFTWARE;
	attr->config = dice_roll(dice, last + 1);
}

static __u64 hardware_roll(struct dice *dice)
{
	return dice_roll(dice, PERF_COUNT_HW_MAX);
}

static void count_roll(struct dice *dice, struct perf_event_attr *attr)
{
	if (dice_roll(dice, 2)) {
		attr_count(attr, PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES);
	} else if (dice_roll(dice, 2)) {
		attr_count(attr, PERF_TYPE_SOFTWARE, 0);
		soft_roll(dice, attr);
	} else if (dice_roll(dice, 2)) {
		attr_count(attr, PERF_TYPE_HARDWARE, hardware_roll(dice));
	} else {
		attr_count(attr, PERF_TYPE_RAW, RAW_RETIRED | dice_roll(dice, 2) << 8);
	}
}

static void chain_roll(struct dice *dice, struct perf_event_attr *attr)
{
	attr->sample_type |= PERF_SAMPLE_CALLCHAIN;
	attr->exclude_callchain_kernel = !dice_roll(dice, 4);
	attr->exclude_callchain_user = !attr->exclude_callchain_kernel && !dice_roll(dice, 4);
	attr->sample_max_stack = dice_roll(dice, 2) ? 0 : dice_roll(dice, 128);
}

/* Choose which modes are excluded, and the watermark that wakes the reader. */
static void limits_roll(struct dice *dice, struct perf_event_attr *attr)
{
	attr->exclude_user = !dice_roll(dice, 4);
	attr->exclude_kernel = !attr->exclude_user && !dice_roll(dice, 4);
	attr->exclude_idle = !dice_roll(dice, 4);
	attr->exclude_host = !dice_roll(dice, 8);
	attr->exclude_guest = !attr->exclude_host && !dice_roll(dice, 4);
	attr->watermark = !dice_roll(dice, 4);
	attr->wakeup_watermark = attr->watermark ? 1 + dice_roll(dice, 65536) : 0;
}

/* Choose side-band records and sample fields, in addition to those of attr_init(). */
static void contents_roll(struct dice *dice, struct perf_event_attr *attr)
{
	if (!dice_roll(dice, 2))
		attr_track(attr);
	attr->mmap_data = attr->mmap && !dice_roll(dice, 4);
	attr->context_switch = !dice_roll(dice, 4);
	if (!dice_roll(dice, 3))
		chain_roll(dice, attr);
	if (!dice_roll(dice, 4)) {
		attr->sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
		attr->sample_regs_user = 0xff0fff;
		/* A record has less than 64 KiB. */
		attr->sample_stack_user = dice_roll(dice, 4) ? 8 << dice_roll(dice, 12) :
							       65536 - 8 * dice_roll(dice, 256);
	}
}

/* Choose what triggers samples: a clock, a counter or a software event. */
static void what_roll(struct dice *dice, struct perf_event_attr *attr)
{
	if (!dice_roll(dice, 4)) {
		soft_roll(dice, attr);
		attr->sample_type |= dice_roll(dice, 2) ? 0 : PERF_SAMPLE_RAW;
		attr->freq = 0;
		attr->sample_period = 1 + dice_roll(dice, 100);
		return;
	}
	if (!dice_roll(dice, 3)) {
		attr->type = PERF_TYPE_HARDWARE;
		attr->config = hardware_roll(dice);
	} else if (!dice_roll(dice, 4)) {
		attr->type = PERF_TYPE_RAW;
		attr->config = RAW_RETIRED;
	}
	if (!dice_roll(dice, 3)) {
		attr->freq = 0;
		attr->sample_period = 1 + dice_roll(dice, PERIODS);
	}
}

void attrs_roll(struct dice *dice, struct perf_event_attr *attr)
{
	if (!dice_roll(dice, 5)) {
		count_roll(dice, attr);
		return;
	}
	attr_init(attr, 1 + dice_roll(dice, 5000));
	contents_roll(dice, attr);
	if (!dice_roll(dice, 3))
		limits_roll(dice, attr);
	attr->sample_type |= dice_roll(dice, 4) ? 0 : PERF_SAMPLE_WEIGHT;
	what_roll(dice, attr);
}

/* Return true if the back end `soft` may accept @attr. */
static bool is_soft(const struct perf_event_attr *attr)
{
	if (attr->type == PERF_TYPE_RAW)
		return attr->config <= TPROF_LX_SOFT_WAKEUPS;
	return attr->type == PERF_TYPE_SOFTWARE &&
	       (attr->config != PERF_COUNT_SW_CPU_CLOCK || !attr->sample_period);
}

/* Choose flags that are valid for @attr. */
__u32 attrs_flags(struct dice *dice, const struct perf_event_attr *attr)
{
	__u32 flags = 0;

	if (attr->sample_period && !dice_roll(dice, 3))
		flags |= TPROF_LX_EVENT_RANDOM;
	if (attr->sample_type & PERF_SAMPLE_CALLCHAIN && attr->sample_id_all &&
	    !attr->exclude_user && !attr->exclude_callchain_user && dice_roll(dice, 2))
		flags |= TPROF_LX_EVENT_DEFERRED;
	if (flags & TPROF_LX_EVENT_DEFERRED && dice_roll(dice, 2))
		flags |= TPROF_LX_EVENT_TABLES;
	if (attr->sample_type & PERF_SAMPLE_WEIGHT)
		flags |= TPROF_LX_EVENT_PROCESS | TPROF_LX_EVENT_PARALLELISM;
	else if ((attr->type != PERF_TYPE_SOFTWARE || is_soft(attr)) && dice_roll(dice, 2))
		flags |= TPROF_LX_EVENT_PROCESS;
	if (flags & TPROF_LX_EVENT_PROCESS && dice_roll(dice, 2))
		flags |= TPROF_LX_EVENT_THREADS;
	else if (flags & TPROF_LX_EVENT_PROCESS && !dice_roll(dice, 4))
		flags |= TPROF_LX_EVENT_PAGE;
	if (attr->sample_period && !dice_roll(dice, 4))
		flags |= TPROF_LX_EVENT_STALL;
	return flags;
}

/* Choose a back end that may accept @attr. */
const char *attrs_backend(struct dice *dice, const struct perf_event_attr *attr)
{
	static const char *const clocks[] = { "nmi", "timer" };
	static const char *const counters[] = { "tsc", "intel", "amd" };

	if (is_soft(attr))
		return "soft";
	if (attr->type == PERF_TYPE_SOFTWARE)
		return clocks[dice_roll(dice, ARRAY_LEN(clocks))];
	return counters[dice_roll(dice, ARRAY_LEN(counters))];
}
