// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - converting an attr to an event-select value
 */
#include <string.h>

#include "unit.h"
#include "x86/x86_select.h"

void (*tprof_test_interrupt)(void);

static const struct tprof_x86_caps intel = {
	.vendor		= TPROF_X86_INTEL,
	.version	= 4,
	.family		= 6,
	.counters	= 0xfULL << 32 | 0xff,
	.arch_known	= 0xff,
	.arch_events	= 0xff,
	.has_any	= true,
};

static const struct tprof_x86_caps amd = {
	.vendor		= TPROF_X86_AMD,
	.version	= TPROF_X86_AMD_CORE,
	.family		= 0x17,
	.counters	= 0x3f,
	.has_svm	= true,
};

#define GENERAL		0xffULL
#define FIXED(n)	BIT_ULL(32 + (n))
#define ON		(BIT_ULL(20) | BIT_ULL(22))
#define USER		BIT_ULL(16)
#define KERNEL		BIT_ULL(17)

static struct tprof_x86_select result;

static int try(const struct tprof_x86_caps *caps, u32 type, u64 config)
{
	struct perf_event_attr attr = { .type = type, .config = config };

	memset(&result, 0xee, sizeof(result));
	return tprof_x86_select(&attr, caps, &result);
}

static int try_attr(const struct tprof_x86_caps *caps,
		    const struct perf_event_attr *attr)
{
	memset(&result, 0xee, sizeof(result));
	return tprof_x86_select(attr, caps, &result);
}

static void test_generic(void)
{
	static const struct {
		u64	config;
		u64	value;
		u64	rows;
	} events[] = {
		{ PERF_COUNT_HW_CPU_CYCLES, 0x003c, GENERAL | FIXED(1) },
		{ PERF_COUNT_HW_INSTRUCTIONS, 0x00c0, GENERAL | FIXED(0) },
		{ PERF_COUNT_HW_CACHE_REFERENCES, 0x4f2e, GENERAL },
		{ PERF_COUNT_HW_CACHE_MISSES, 0x412e, GENERAL },
		{ PERF_COUNT_HW_BRANCH_INSTRUCTIONS, 0x00c4, GENERAL },
		{ PERF_COUNT_HW_BRANCH_MISSES, 0x00c5, GENERAL },
		{ PERF_COUNT_HW_BUS_CYCLES, 0x013c, GENERAL },
		{ PERF_COUNT_HW_REF_CPU_CYCLES, 0x0300, FIXED(2) },
	};
	bool is_right = true;

	for (int i = 0; i < ARRAY_SIZE(events); i++) {
		is_right &= !try(&intel, PERF_TYPE_HARDWARE, events[i].config);
		is_right &= result.general ==
				    (events[i].value | ON | USER | KERNEL) &&
			    result.rows == events[i].rows;
	}
	unit_ok(is_right,
		"Intel: generic events have the counters that can count them");
	unit_ok(result.fixed == 0xb && result.counts_kernel,
		"Intel: a fixed counter has bits for interrupt, user, kernel");
	unit_ok(try(&intel, PERF_TYPE_HARDWARE,
		    PERF_COUNT_HW_STALLED_CYCLES_BACKEND) == -EOPNOTSUPP,
		"Intel: a generic event that does not exist is -EOPNOTSUPP");
	unit_ok(try(&intel, PERF_TYPE_HARDWARE, PERF_COUNT_HW_MAX) == -EINVAL,
		"an unknown generic event is -EINVAL");
	unit_ok(try(&intel, PERF_TYPE_SOFTWARE, 0) == -EOPNOTSUPP,
		"another type of event is -EOPNOTSUPP");
	unit_ok(!try(&amd, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES) &&
		result.general == (0x76 | ON | USER | KERNEL) &&
		result.rows == 0x3f,
		"AMD: generic events have any counter");
}

static void test_who(void)
{
	struct perf_event_attr attr = {
		.type		= PERF_TYPE_RAW,
		.config		= 0xc0,
		.exclude_kernel	= 1,
	};

	unit_ok(!try_attr(&intel, &attr) &&
		result.general == (0xc0 | ON | USER) &&
		result.fixed == 0xa && !result.counts_kernel,
		"exclude_kernel counts user mode alone");
	attr.config |= ARCH_PERFMON_EVENTSEL_ANY;
	unit_ok(!try_attr(&intel, &attr) && result.counts_kernel,
		"Intel: AnyThread may count while the handler runs");
	attr.config &= ~ARCH_PERFMON_EVENTSEL_ANY;
	attr.exclude_kernel = 0;
	attr.exclude_user = 1;
	unit_ok(!try_attr(&intel, &attr) &&
		result.general == (0xc0 | ON | KERNEL) &&
		result.fixed == 0x9 && result.counts_kernel,
		"exclude_user counts kernel mode alone");
	attr.exclude_guest = 1;
	unit_ok(try_attr(&intel, &attr) == -EOPNOTSUPP,
		"Intel: exclude_guest is -EOPNOTSUPP");
	unit_ok(!try_attr(&amd, &attr) && result.general & BIT_ULL(41) &&
		!(result.general & BIT_ULL(40)),
		"AMD: exclude_guest counts the host alone");
	attr.exclude_host = 1;
	unit_ok(try_attr(&amd, &attr) == -EINVAL,
		"AMD: excluding host and guest is -EINVAL");
	attr.exclude_guest = 0;
	unit_ok(!try_attr(&amd, &attr) && result.general & BIT_ULL(40) &&
		!(result.general & BIT_ULL(41)),
		"AMD: exclude_host counts guests alone");
}

static void test_no_svm(void)
{
	struct tprof_x86_caps caps = amd;
	struct perf_event_attr attr = {
		.type		= PERF_TYPE_RAW,
		.config		= 0xc0,
		.exclude_guest	= 1,
	};

	caps.has_svm = false;
	unit_ok(!try_attr(&caps, &attr) && !(result.general >> 40),
		"AMD: without SVM exclude_guest sets no bit");
	attr.exclude_guest = 0;
	attr.exclude_host = 1;
	unit_ok(try_attr(&caps, &attr) == -EOPNOTSUPP,
		"AMD: without SVM exclude_host is -EOPNOTSUPP");
}

static void test_raw_intel(void)
{
	struct tprof_x86_caps caps = intel;

	unit_ok(!try(&intel, PERF_TYPE_RAW, 0x0100003c) &&
		result.rows == GENERAL,
		"Intel: an event with a threshold has no fixed counter");
	unit_ok(!try(&intel, PERF_TYPE_RAW, 0x018400c0) &&
		result.rows == GENERAL &&
		result.general == (0x018400c0 | ON | USER | KERNEL),
		"Intel: edge, inversion and threshold are taken over");
	unit_ok(!try(&intel, PERF_TYPE_RAW, 0x20003c) &&
		result.fixed == 0xf &&
		result.rows == (GENERAL | FIXED(1)),
		"Intel: AnyThread works on a fixed counter, too");
	caps.has_any = false;
	unit_ok(try(&caps, PERF_TYPE_RAW, 0x20003c) == -EINVAL,
		"Intel: AnyThread is -EINVAL where it does not exist");
	unit_ok(!try(&intel, PERF_TYPE_RAW, 0x01d1) && result.rows == 0xf,
		"Intel: a model's own event has the first four counters");
	unit_ok(!try(&intel, PERF_TYPE_RAW, 0x0400) && result.rows == FIXED(3),
		"Intel: perf's code for slots has fixed counter 3");
	unit_ok(!try(&intel, PERF_TYPE_RAW, 0x0100) && result.rows == FIXED(0) &&
		!try(&intel, PERF_TYPE_RAW, 0x0200) && result.rows == FIXED(1),
		"Intel: each fixed counter has a code of perf's");
	unit_ok(try(&intel, PERF_TYPE_RAW, 0x0000) == -EOPNOTSUPP &&
		try(&intel, PERF_TYPE_RAW, 0x0500) == -EOPNOTSUPP &&
		try(&intel, PERF_TYPE_RAW, 0x8000) == -EOPNOTSUPP,
		"Intel: codes of missing fixed counters and of metrics are -EOPNOTSUPP");
	caps.counters = 0xf;
	unit_ok(try(&caps, PERF_TYPE_RAW, 0x0300) == -EOPNOTSUPP,
		"Intel: an event without its only counter is -EOPNOTSUPP");
	caps.arch_events = 0x3b;
	unit_ok(try(&caps, PERF_TYPE_RAW, 0x00c5) == -EOPNOTSUPP &&
		try(&caps, PERF_TYPE_HARDWARE,
		    PERF_COUNT_HW_BRANCH_MISSES) == -EOPNOTSUPP &&
		!try(&caps, PERF_TYPE_RAW, 0x00c4),
		"Intel: an event that CPUID marks as missing is -EOPNOTSUPP");
}

static void test_reserved(void)
{
	static const u8 intel_bits[] = { 16, 17, 19, 20, 22, 32, 36, 40, 63 };
	static const u8 amd_bits[] = { 16, 17, 19, 20, 21, 22, 36, 40, 41, 63 };
	struct tprof_x86_caps caps = intel;
	bool is_refused = true;

	for (int i = 0; i < ARRAY_SIZE(intel_bits); i++)
		is_refused &= try(&intel, PERF_TYPE_RAW,
				  0xc0 | BIT_ULL(intel_bits[i])) == -EINVAL;
	unit_ok(is_refused, "Intel: bits that the module sets are -EINVAL");
	is_refused = true;
	for (int i = 0; i < ARRAY_SIZE(amd_bits); i++)
		is_refused &= try(&amd, PERF_TYPE_RAW,
				  0xc0 | BIT_ULL(amd_bits[i])) == -EINVAL;
	unit_ok(is_refused, "AMD: bits that the module sets are -EINVAL");

	caps.has_umask2 = true;
	caps.has_eq = true;
	unit_ok(!try(&caps, PERF_TYPE_RAW, BIT_ULL(36) | BIT_ULL(40) | 0xc0) &&
		result.rows == 0xf,
		"Intel: a second unit mask makes an event the model's own");
}

/* Return true if @event is counted by @config, or refused if @config is 0. */
static bool zen_is(u32 family, u32 model, u64 event, u64 config)
{
	struct tprof_x86_caps caps = amd;
	int err;

	caps.family = family;
	caps.model = model;
	err = try(&caps, PERF_TYPE_HARDWARE, event);
	return config ? !err && result.general == (config | ON | USER | KERNEL) :
			err == -EOPNOTSUPP;
}

static void test_raw_amd(void)
{
	struct tprof_x86_caps old = amd;

	unit_ok(!try(&amd, PERF_TYPE_RAW, 0x1000000c0) &&
		result.general == (0x1000000c0 | ON | USER | KERNEL),
		"AMD: an event number has twelve bits");
	unit_ok(try(&amd, PERF_TYPE_RAW, 0xff03) == -EOPNOTSUPP,
		"AMD: an event that takes two counters is -EOPNOTSUPP");
	unit_ok(zen_is(0x17, 0x01, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, 0x0287) &&
		zen_is(0x17, 0x01, PERF_COUNT_HW_STALLED_CYCLES_BACKEND, 0x0187) &&
		zen_is(0x17, 0x31, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, 0x00a9) &&
		zen_is(0x17, 0x31, PERF_COUNT_HW_STALLED_CYCLES_BACKEND, 0),
		"AMD: stalls of the first Zen core have other codes");
	unit_ok(zen_is(0x19, 0x11, PERF_COUNT_HW_REF_CPU_CYCLES, 0x100000120) &&
		zen_is(0x1a, 0x02, PERF_COUNT_HW_REF_CPU_CYCLES, 0x100000120) &&
		zen_is(0x19, 0x21, PERF_COUNT_HW_REF_CPU_CYCLES, 0),
		"AMD: reference cycles are counted from the fourth Zen core on");
	old.family = 0x10;
	unit_ok(!try(&old, PERF_TYPE_RAW, 0xff03) &&
		!try(&old, PERF_TYPE_HARDWARE,
		     PERF_COUNT_HW_CACHE_MISSES) &&
		(result.general & 0xffff) == 0x077e,
		"AMD: older families have other codes of events");
}

/*
 * Return true if tprof_x86_select() returns exactly @rows for event @config on @model of
 * family 6. If @rows is 0, return true if it refuses the event. @rows is from Intel's
 * tables.
 */
static bool is_for(u32 model, u64 config, u64 rows)
{
	struct tprof_x86_caps caps = intel;
	int err;

	caps.model = model;
	caps.counters = 0xf;
	err = try(&caps, PERF_TYPE_RAW, config);
	return rows ? !err && result.rows == rows : err == -EOPNOTSUPP;
}

/* The same as is_for(), for a core of kind @core_type of a processor of another family. */
static bool is_for_core(u32 family, u32 model, u32 core_type, u64 config, u64 rows)
{
	struct tprof_x86_caps caps = intel;
	int err;

	caps.family = family;
	caps.model = model;
	caps.core_type = core_type;
	caps.counters = 0xf;
	err = try(&caps, PERF_TYPE_RAW, config);
	return rows ? !err && result.rows == rows : err == -EOPNOTSUPP;
}

static void test_constraints_new(void)
{
	unit_ok(is_for(0xbd, 0x10a4, 0x8) && is_for(0xbd, 0x08a4, 0x1),
		"Intel: slots of Lion Cove that memory holds have counter 3");
	unit_ok(is_for(0xcc, 0x01b1, 0x8) && is_for(0xd5, 0x10a4, 0x8),
		"Intel: Panther Lake has the constraints of Lion Cove");
	unit_ok(is_for(0xd7, 0x04a4, 0x1) && is_for(0xd7, 0x00ce, 0x1),
		"Intel: Bartlett Lake has the constraints of Golden Cove");
	unit_ok(is_for_core(19, 0x01, 0, 0x01b1, 0x8) && is_for_core(18, 0x03, 0x40, 0x02cd, 0x3) &&
		is_for_core(18, 0x01, 0x40, 0x10a4, 0xf) && is_for_core(19, 0x03, 0, 0x01b1, 0xf),
		"Intel: families after 6 have constraints");
	unit_ok(is_for_core(18, 0x01, 0x20, 0x22d3, 0x1) &&
		is_for_core(18, 0x01, 0x20, 0x02cd, 0xf),
		"Intel: an efficient core of Nova Lake has its own");
	unit_ok(is_for(0x0e, 0x00c1, 0x1) && is_for(0x3d, 0x09a3, 0x4) && is_for(0x3d, 0x05a3, 0xf),
		"Intel: Core Duo and Broadwell have the constraints of perf");
}

static void test_extra_registers(void)
{
	unit_ok(is_for(0x1a, 0x01b7, 0) && is_for(0x1a, 0x01bb, 0xf) && is_for(0x1a, 0x100b, 0),
		"Intel: Nehalem's events that need another register are -EOPNOTSUPP");
	unit_ok(is_for(0x55, 0x01b7, 0) && is_for(0x55, 0x01bb, 0) && is_for(0x55, 0x01cd, 0) &&
		is_for(0x55, 0x01c6, 0) && is_for(0x55, 0x012a, 0xf),
		"Intel: Skylake's events that need another register are -EOPNOTSUPP");
	unit_ok(is_for(0x8f, 0x012a, 0) && is_for(0x8f, 0x40ad, 0) && is_for(0x8f, 0x01b7, 0xf) &&
		is_for(0x8f, 0x03c6, 0xf) && is_for(0xad, 0x03c6, 0) && is_for(0xbd, 0x04c2, 0),
		"Intel: those of Golden Cove and its successors are -EOPNOTSUPP");
	unit_ok(is_for_core(6, 0x97, 0x20, 0x01b7, 0) && is_for_core(6, 0x97, 0x20, 0x012a, 0xf) &&
		is_for_core(6, 0x97, 0x20, 0x05d0, 0) && is_for_core(6, 0x97, 0x20, 0x0127, 0xf) &&
		is_for_core(6, 0xbd, 0x20, 0x0127, 0) && is_for(0x5c, 0x02b7, 0) &&
		is_for(0x5c, 0x05d0, 0xf),
		"Intel: those of efficient cores are -EOPNOTSUPP");
	unit_ok(is_for_core(19, 0x01, 0, 0x082a, 0) && is_for_core(18, 0x01, 0x20, 0x08b7, 0) &&
		is_for_core(18, 0x01, 0x20, 0x082a, 0xf),
		"Intel: those of families after 6 are -EOPNOTSUPP");
}

static void test_constraints_intel(void)
{
	struct tprof_x86_caps caps = intel;

	unit_ok(is_for(0x2a, 0x06a3, 0x4) && is_for(0x3c, 0x08a3, 0x4) &&
		is_for(0x55, 0x01c0, 0x2) && is_for(0x2c, 0x01b3, 0x1),
		"Intel: an event that one counter counts has that one");
	unit_ok(is_for(0x1a, 0x0f51, 0x3) && is_for(0x1a, 0x0f52, 0xf),
		"Intel: a constraint on all unit masks leaves other events alone");
	unit_ok(is_for(0x2a, 0x04a3, 0xf),
		"Intel: a constraint on one unit mask leaves others alone");
	unit_ok(is_for(0x6a, 0x01c0, 0),
		"Intel: an event that no general counter counts is -EOPNOTSUPP");
	unit_ok(is_for(0x2a, 0x81d0, 0) && is_for(0x3c, 0x20d1, 0) &&
		is_for(0x3d, 0x81d0, 0xf),
		"Intel: an event that disturbs the other thread's counter is -EOPNOTSUPP");
	caps.model = 0x3c;
	unit_ok(!try(&caps, PERF_TYPE_RAW, 0x81d0) && result.rows == 0xf,
		"Intel: without hyper-threading, no other thread is disturbed");
	unit_ok(is_for(0x77, 0x06a3, 0xf),
		"Intel: a constraint of one model leaves others alone");
	unit_ok(is_for(0xbd, 0x01b1, 0x8) && is_for(0xbd, 0x02cd, 0x3) &&
		is_for(0xad, 0x08a4, 0x1),
		"Intel: the newest models have their constraints");
	caps.model = 0x97;
	unit_ok(!try(&caps, PERF_TYPE_RAW, 0x04a4) && result.rows == 0x1,
		"Intel: a performance core has its own constraints");
	caps.core_type = 0x20;
	unit_ok(!try(&caps, PERF_TYPE_RAW, 0x04a4) && result.rows == 0xf,
		"Intel: an efficient core has none of a performance core's");
	unit_ok(!try(&intel, PERF_TYPE_RAW, 0x019c) && result.rows == 0xf,
		"Intel: an unknown architectural event has four counters");
}

static bool grain_is(u32 model, u64 config, u64 grain)
{
	struct tprof_x86_caps caps = intel;

	caps.model = model;
	return !try(&caps, PERF_TYPE_RAW, config) && result.grain == grain;
}

static void test_grain_intel(void)
{
	unit_ok(grain_is(0x3d, 0x01c0, 127) && grain_is(0x3c, 0x01c0, 127),
		"Intel: INST_RETIRED.ALL is loaded with multiples of 128");
	unit_ok(grain_is(0x3d, 0x00c0, 0) && grain_is(0x3d, 0x02c0, 0),
		"Intel: other events of Broadwell are loaded with any number");
	unit_ok(grain_is(0x1a, 0x00c0, 31) && grain_is(0x3c, 0x00c0, 31),
		"Intel: Nehalem and Haswell are loaded with multiples of 32");
	unit_ok(grain_is(0x55, 0x01c0, 0),
		"Intel: later models are loaded with any number");
}

static bool is_for_15h(u64 config, u64 rows)
{
	struct tprof_x86_caps caps = amd;
	int err;

	caps.family = 0x15;
	err = try(&caps, PERF_TYPE_RAW, config);
	return rows ? !err && result.rows == rows : err == -EOPNOTSUPP;
}

static void test_constraints_amd(void)
{
	struct tprof_x86_caps caps = amd;

	unit_ok(is_for_15h(0x0f00, 0x38) && is_for_15h(0xff00, 0x08) &&
		is_for_15h(0x0104, 0x38) && is_for_15h(0x0304, 0x08) &&
		is_for_15h(0xff03, 0x08),
		"AMD 15h: floating-point events have their counters");
	unit_ok(is_for_15h(0x0043, 0x07) && is_for_15h(0x0076, 0x07) &&
		is_for_15h(0x00c0, 0x3f) && is_for_15h(0x1000000c0, 0x38) &&
		is_for_15h(0x002e, 0x09),
		"AMD 15h: load-store, cluster and core events have their counters");
	unit_ok(is_for_15h(0x0131, 0x07) && is_for_15h(0x0331, 0),
		"AMD 15h: an event of one unit is -EOPNOTSUPP with two units");
	unit_ok(is_for_15h(0x008f, 0x01) && is_for_15h(0x0080, 0x07) &&
		is_for_15h(0x00db, 0x3f) && is_for_15h(0x1000000d6, 0x3f),
		"AMD 15h: fetch and decode events have their counters");
	caps.family = 0x10;
	unit_ok(is_for_15h(0x00e0, 0) &&
		try(&caps, PERF_TYPE_RAW, 0x4000000e0) == -EOPNOTSUPP &&
		!try(&amd, PERF_TYPE_RAW, 0x00e0),
		"AMD: before Zen, an event of the northbridge is -EOPNOTSUPP");
}

int main(void)
{
	test_generic();
	test_who();
	test_no_svm();
	test_raw_intel();
	test_reserved();
	test_raw_amd();
	test_constraints_intel();
	test_constraints_new();
	test_extra_registers();
	test_grain_intel();
	test_constraints_amd();
	return unit_exit();
}
