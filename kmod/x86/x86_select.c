// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - turns an attr into the control value of a counter
 *
 * For PERF_TYPE_RAW, the attr's config has the layout of the event select register, as
 * for perf. The user cannot set the bits for user mode, kernel mode and enable: the
 * module sets them. For PERF_TYPE_HARDWARE, there are tables for each vendor.
 *
 * Context: any. The file also compiles in user space, for the unit tests.
 */
#ifdef __KERNEL__
#include <linux/errno.h>
#include <linux/string.h>
#else
#include <errno.h>
#include <string.h>
#endif

#include "x86/x86_constraints.h"
#include "x86/x86_extra.h"
#include "x86/x86_select.h"

/* Event and unit mask. */
#define EVENT_MASK	(ARCH_PERFMON_EVENTSEL_EVENT | ARCH_PERFMON_EVENTSEL_UMASK)

/* Bits that the counters of all vendors have and that the user may set. */
#define COMMON_MASK	(EVENT_MASK | ARCH_PERFMON_EVENTSEL_EDGE |	\
			 ARCH_PERFMON_EVENTSEL_INV | ARCH_PERFMON_EVENTSEL_CMASK)

enum {
	NOT_THERE	= -1,
	/* perf's code for reference cycles, which only a fixed counter counts. */
	REF_CYCLES	= 0x0300,
	/* Number of fixed counters that perf's codes can name. */
	MAX_PSEUDO	= 16,
	/* Number of Intel's general counters that count model-specific events. */
	UNIVERSAL	= 4,
	/*
	 * AMD PPR of families 17h and 19h, "Large Increment per Cycle": this event
	 * needs two counters at once, and is refused.
	 */
	AMD_FLOPS	= 0x003,
};

/**
 * struct arch_event - an architectural event of Intel's
 * @config:	event and unit mask
 * @fixed:	index of the fixed counter that counts it, or NOT_THERE
 */
struct arch_event {
	u16	config;
	s8	fixed;
};

/*
 * Intel SDM volume 3, table "Architectural Performance Events". The index of an event is
 * the position of its bit in @arch_known and @arch_events of struct tprof_x86_caps.
 */
static const struct arch_event arch_events[] = {
	{ 0x003c, 1 },		/* core cycles */
	{ 0x00c0, 0 },		/* instructions retired */
	{ 0x013c, NOT_THERE },	/* reference cycles, at the bus clock */
	{ 0x4f2e, NOT_THERE },	/* last level cache references */
	{ 0x412e, NOT_THERE },	/* last level cache misses */
	{ 0x00c4, NOT_THERE },	/* branches retired */
	{ 0x00c5, NOT_THERE },	/* mispredicted branches retired */
	{ 0x01a4, 3 },		/* topdown slots */
	{ 0x02a4, NOT_THERE },	/* topdown backend bound */
	{ 0x0073, 4 },		/* topdown bad speculation */
	{ 0x019c, 5 },		/* topdown frontend bound */
	{ 0x02c2, 6 },		/* topdown retiring */
};

static const s32 intel_generic[PERF_COUNT_HW_MAX] = {
	[PERF_COUNT_HW_CPU_CYCLES]		= 0x003c,
	[PERF_COUNT_HW_INSTRUCTIONS]		= 0x00c0,
	[PERF_COUNT_HW_CACHE_REFERENCES]	= 0x4f2e,
	[PERF_COUNT_HW_CACHE_MISSES]		= 0x412e,
	[PERF_COUNT_HW_BRANCH_INSTRUCTIONS]	= 0x00c4,
	[PERF_COUNT_HW_BRANCH_MISSES]		= 0x00c5,
	[PERF_COUNT_HW_BUS_CYCLES]		= 0x013c,
	[PERF_COUNT_HW_STALLED_CYCLES_FRONTEND]	= NOT_THERE,
	[PERF_COUNT_HW_STALLED_CYCLES_BACKEND]	= NOT_THERE,
	[PERF_COUNT_HW_REF_CPU_CYCLES]		= REF_CYCLES,
};

/* Families before 17h. Cache events are events of the L2, stalls are dispatch stalls. */
static const s32 amd_k7_generic[PERF_COUNT_HW_MAX] = {
	[PERF_COUNT_HW_CPU_CYCLES]		= 0x0076,
	[PERF_COUNT_HW_INSTRUCTIONS]		= 0x00c0,
	[PERF_COUNT_HW_CACHE_REFERENCES]	= 0x077d,
	[PERF_COUNT_HW_CACHE_MISSES]		= 0x077e,
	[PERF_COUNT_HW_BRANCH_INSTRUCTIONS]	= 0x00c2,
	[PERF_COUNT_HW_BRANCH_MISSES]		= 0x00c3,
	[PERF_COUNT_HW_BUS_CYCLES]		= NOT_THERE,
	[PERF_COUNT_HW_STALLED_CYCLES_FRONTEND]	= 0x00d0,
	[PERF_COUNT_HW_STALLED_CYCLES_BACKEND]	= 0x00d1,
	[PERF_COUNT_HW_REF_CPU_CYCLES]		= NOT_THERE,
};

/* Family 17h and later. Cache events are events of the L2: PMCx060 and PMCx064. */
static const s32 amd_zen_generic[PERF_COUNT_HW_MAX] = {
	[PERF_COUNT_HW_CPU_CYCLES]		= 0x0076,
	[PERF_COUNT_HW_INSTRUCTIONS]		= 0x00c0,
	[PERF_COUNT_HW_CACHE_REFERENCES]	= 0xff60,
	[PERF_COUNT_HW_CACHE_MISSES]		= 0x0964,
	[PERF_COUNT_HW_BRANCH_INSTRUCTIONS]	= 0x00c2,
	[PERF_COUNT_HW_BRANCH_MISSES]		= 0x00c3,
	[PERF_COUNT_HW_BUS_CYCLES]		= NOT_THERE,
	[PERF_COUNT_HW_STALLED_CYCLES_FRONTEND]	= 0x00a9,
	[PERF_COUNT_HW_STALLED_CYCLES_BACKEND]	= NOT_THERE,
	[PERF_COUNT_HW_REF_CPU_CYCLES]		= NOT_THERE,
};

/* Family 17h with a first Zen core, and family 18h. Stalls are PMCx087. */
static bool is_zen1(const struct tprof_x86_caps *caps)
{
	return caps->family == 0x18 ||
	       (caps->family == 0x17 && (caps->model < 0x30 || (caps->model & 0xf0) == 0x50));
}

/* PMCx120 counts reference cycles from the fourth Zen core on. */
static bool is_zen4_or_later(const struct tprof_x86_caps *caps)
{
	if (caps->family != 0x19)
		return caps->family >= 0x1a;
	return (caps->model & 0xf0) == 0x10 || caps->model >= 0x60;
}

static s64 zen_generic(const struct tprof_x86_caps *caps, u64 event)
{
	if (event == PERF_COUNT_HW_STALLED_CYCLES_FRONTEND && is_zen1(caps))
		return 0x0287;
	if (event == PERF_COUNT_HW_STALLED_CYCLES_BACKEND && is_zen1(caps))
		return 0x0187;
	if (event == PERF_COUNT_HW_REF_CPU_CYCLES && is_zen4_or_later(caps))
		return 0x100000120;
	return amd_zen_generic[event];
}

/* Return the config of a generic event, or NOT_THERE. */
static s64 generic_config(const struct tprof_x86_caps *caps, u64 event)
{
	if (caps->vendor == TPROF_X86_INTEL)
		return intel_generic[event];
	return caps->family >= 0x17 ? zen_generic(caps, event) : amd_k7_generic[event];
}

static u64 settable_bits(const struct tprof_x86_caps *caps)
{
	if (caps->vendor == TPROF_X86_AMD)
		return COMMON_MASK | AMD64_EVENTSEL_EVENT;
	return COMMON_MASK |
	       (caps->has_any ? ARCH_PERFMON_EVENTSEL_ANY : 0) |
	       (caps->has_umask2 ? TPROF_SELECT_UMASK2 : 0) |
	       (caps->has_eq ? TPROF_SELECT_EQ : 0);
}

static int find_config(const struct perf_event_attr *attr,
		       const struct tprof_x86_caps *caps, u64 *config)
{
	s64 generic;

	switch (attr->type) {
	case PERF_TYPE_HARDWARE:
		if (attr->config >= PERF_COUNT_HW_MAX)
			return -EINVAL;
		generic = generic_config(caps, attr->config);
		if (generic == NOT_THERE)
			return -EOPNOTSUPP;
		*config = generic;
		return 0;
	case PERF_TYPE_RAW:
		if (attr->config & ~settable_bits(caps))
			return -EINVAL;
		*config = attr->config;
		return 0;
	default:
		return -EOPNOTSUPP;
	}
}

static void set_privileges(const struct perf_event_attr *attr,
			   struct tprof_x86_select *select)
{
	if (!attr->exclude_user) {
		select->general |= ARCH_PERFMON_EVENTSEL_USR;
		select->fixed |= TPROF_FIXED_USER;
	}
	if (!attr->exclude_kernel) {
		select->general |= ARCH_PERFMON_EVENTSEL_OS;
		select->fixed |= TPROF_FIXED_KERNEL;
		select->counts_kernel = true;
	}
}

/* Return the index of an event in arch_events, or NOT_THERE. */
static int find_arch_event(u64 config)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(arch_events); i++) {
		if ((config & (EVENT_MASK | TPROF_SELECT_UMASK2)) ==
		    arch_events[i].config)
			return i;
	}
	return NOT_THERE;
}

/*
 * Return the mask of a fixed counter, or 0 if @config needs a threshold or edge
 * detection, which fixed counters lack.
 */
static u64 fixed_row(const struct tprof_x86_caps *caps, u64 config, int fixed)
{
	if (fixed == NOT_THERE ||
	    config & ~(EVENT_MASK | ARCH_PERFMON_EVENTSEL_ANY))
		return 0;
	return caps->counters & BIT_ULL(TPROF_X86_FIXED + fixed);
}

/*
 * Intel has no event 0. As in perf, unit mask n + 1 of event 0 stands for what fixed counter
 * n counts. Perf's codes of topdown metrics, which are no counts, have no counter.
 */
static bool is_pseudo(u64 config)
{
	return !(config & ARCH_PERFMON_EVENTSEL_EVENT);
}

static u64 pseudo_row(const struct tprof_x86_caps *caps, u64 config)
{
	int fixed = (int)(config >> 8 & 0xff) - 1;

	if (fixed < 0 || fixed >= MAX_PSEUDO)
		return 0;
	return fixed_row(caps, config, fixed);
}

/*
 * Each of Intel's general counters can count all architectural events that the
 * processor has. Model-specific events can use the first UNIVERSAL counters
 * only, and tprof_x86_intel_constraint() excludes some of these counters for
 * some events.
 */
static u64 general_rows(const struct tprof_x86_caps *caps, u64 config, int arch)
{
	u64 rows = (u32)caps->counters;

	if (arch != NOT_THERE && caps->arch_events & BIT_ULL(arch))
		return rows;
	return rows & (BIT_ULL(UNIVERSAL) - 1) &
	       tprof_x86_intel_constraint(caps, config);
}

static int select_intel(const struct perf_event_attr *attr,
			const struct tprof_x86_caps *caps, u64 config,
			struct tprof_x86_select *select)
{
	int arch;

	if (attr->exclude_host || attr->exclude_guest || tprof_x86_needs_extra(caps, config))
		return -EOPNOTSUPP;
	select->grain = tprof_x86_intel_grain(caps, config);
	if (config & ARCH_PERFMON_EVENTSEL_ANY) {
		select->fixed |= TPROF_FIXED_ANYTHREAD;
		/* While the NMI handler runs, the other thread of the core may count. */
		select->counts_kernel = true;
	}

	if (is_pseudo(config)) {
		select->rows = pseudo_row(caps, config);
	} else {
		arch = find_arch_event(config);
		if (arch != NOT_THERE &&
		    caps->arch_known & ~caps->arch_events & BIT_ULL(arch))
			return -EOPNOTSUPP;
		select->rows = general_rows(caps, config, arch);
		if (arch != NOT_THERE)
			select->rows |= fixed_row(caps, config,
						  arch_events[arch].fixed);
	}
	return select->rows ? 0 : -EOPNOTSUPP;
}

/*
 * While SVM is off, a counter with HostOnly would count nothing. So tprof_x86_cpu_arm()
 * clears HostOnly if SVM is off: see effective_select().
 */
static int select_amd(const struct perf_event_attr *attr,
		      const struct tprof_x86_caps *caps, u64 config,
		      struct tprof_x86_select *select)
{
	if (attr->exclude_host && attr->exclude_guest)
		return -EINVAL;
	if (attr->exclude_host && !caps->has_svm)
		return -EOPNOTSUPP;
	if (caps->family >= 0x17 &&
	    (config & AMD64_EVENTSEL_EVENT) == AMD_FLOPS)
		return -EOPNOTSUPP;
	if (attr->exclude_host)
		select->general |= AMD64_EVENTSEL_GUESTONLY;
	if (attr->exclude_guest && caps->has_svm)
		select->general |= AMD64_EVENTSEL_HOSTONLY;
	select->rows = caps->counters & tprof_x86_amd_constraint(caps, config);
	return select->rows ? 0 : -EOPNOTSUPP;
}

/**
 * tprof_x86_select - turn an attr into control values of a CPU's counters
 * @attr:	attr of the event
 * @caps:	capabilities of the CPU
 * @select:	result
 *
 * Context: any.
 * Return: 0; -EINVAL for bits that the user may not set, and on AMD if both host and
 * guest are excluded; -EOPNOTSUPP for what this CPU cannot count.
 */
int tprof_x86_select(const struct perf_event_attr *attr,
		     const struct tprof_x86_caps *caps,
		     struct tprof_x86_select *select)
{
	u64 config;
	int err;

	err = find_config(attr, caps, &config);
	if (err)
		return err;
	memset(select, 0, sizeof(*select));
	set_privileges(attr, select);
	select->general |= config | ARCH_PERFMON_EVENTSEL_INT |
			   ARCH_PERFMON_EVENTSEL_ENABLE;
	select->fixed |= TPROF_FIXED_INTERRUPT;
	if (caps->vendor == TPROF_X86_INTEL)
		return select_intel(attr, caps, config, select);
	return select_amd(attr, caps, config, select);
}
