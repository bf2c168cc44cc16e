// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - which counters can count an event, by model of the processor
 *
 * Sources: Intel's event tables and specification updates; Linux,
 * arch/x86/events/intel/core.c; AMD BKDG of family 15h, "Performance Monitor Counters". No
 * constraint is known for models that are not listed.
 *
 * Context: any. The file also compiles in user space, for the unit tests.
 */
#ifdef __KERNEL__
#include <linux/bitops.h>
#include <linux/kernel.h>
#endif

#include "x86/x86_constraints.h"
#include "x86/x86_models.h"

/*
 * A constraint applies to an event with any unit mask, with one unit mask only, or with a
 * certain bit in the unit mask.
 */
#define ANY_UNIT	ARCH_PERFMON_EVENTSEL_EVENT
#define THIS_UNIT	(ARCH_PERFMON_EVENTSEL_EVENT | ARCH_PERFMON_EVENTSEL_UMASK)
#define UNIT_BIT(n)	(ARCH_PERFMON_EVENTSEL_EVENT | BIT_ULL(8 + (n)))

#define ANY_COUNTER	(~0ULL)
#define NO_COUNTER	0ULL

#define INST_RETIRED_ALL	0x01c0

/**
 * struct constraint - counters that can count an event
 * @generation:	enum tprof_x86_generation
 * @config:	event and unit mask
 * @by:		bits of @config to compare: ANY_UNIT, THIS_UNIT or UNIT_BIT()
 * @counters:	mask of general counters
 */
struct constraint {
	u8	generation;
	u16	config;
	u16	by;
	u8	counters;
};

static const struct constraint intel_constraints[] = {
	{ TPROF_X86_CORE, 0x0011, ANY_UNIT, 0x2 },  /* FP_ASSIST */
	{ TPROF_X86_CORE, 0x0012, ANY_UNIT, 0x2 },  /* MUL */
	{ TPROF_X86_CORE, 0x0013, ANY_UNIT, 0x2 },  /* DIV */
	{ TPROF_X86_CORE, 0x0014, ANY_UNIT, 0x1 },  /* CYCLES_DIV_BUSY */
	{ TPROF_X86_CORE, 0x0019, ANY_UNIT, 0x2 },  /* DELAYED_BYPASS */
	{ TPROF_X86_CORE, 0x00c1, ANY_UNIT, 0x1 },  /* FP_COMP_INSTR_RET */

	{ TPROF_X86_CORE2, 0x0010, ANY_UNIT, 0x1 },  /* FP_COMP_OPS_EXE */
	{ TPROF_X86_CORE2, 0x0011, ANY_UNIT, 0x2 },  /* FP_ASSIST */
	{ TPROF_X86_CORE2, 0x0012, ANY_UNIT, 0x2 },  /* MUL */
	{ TPROF_X86_CORE2, 0x0013, ANY_UNIT, 0x2 },  /* DIV */
	{ TPROF_X86_CORE2, 0x0014, ANY_UNIT, 0x1 },  /* CYCLES_DIV_BUSY */
	{ TPROF_X86_CORE2, 0x0018, ANY_UNIT, 0x1 },  /* IDLE_DURING_DIV */
	{ TPROF_X86_CORE2, 0x0019, ANY_UNIT, 0x2 },  /* DELAYED_BYPASS */
	{ TPROF_X86_CORE2, 0x00a1, ANY_UNIT, 0x1 },  /* RS_UOPS_DISPATCHED */
	{ TPROF_X86_CORE2, 0x00c9, ANY_UNIT, 0x1 },  /* ITLB_MISS_RETIRED */
	{ TPROF_X86_CORE2, 0x00cb, ANY_UNIT, 0x1 },  /* MEM_LOAD_RETIRED */

	{ TPROF_X86_NEHALEM, 0x0040, ANY_UNIT, 0x3 },  /* L1D_CACHE_LD */
	{ TPROF_X86_NEHALEM, 0x0041, ANY_UNIT, 0x3 },  /* L1D_CACHE_ST */
	{ TPROF_X86_NEHALEM, 0x0042, ANY_UNIT, 0x3 },  /* L1D_CACHE_LOCK */
	{ TPROF_X86_NEHALEM, 0x0043, ANY_UNIT, 0x3 },  /* L1D_ALL_REF */
	{ TPROF_X86_NEHALEM, 0x0048, ANY_UNIT, 0x3 },  /* L1D_PEND_MISS */
	{ TPROF_X86_NEHALEM, 0x004e, ANY_UNIT, 0x3 },  /* L1D_PREFETCH */
	{ TPROF_X86_NEHALEM, 0x0051, ANY_UNIT, 0x3 },  /* L1D */
	{ TPROF_X86_NEHALEM, 0x0063, ANY_UNIT, 0x3 },  /* CACHE_LOCK_CYCLES */

	{ TPROF_X86_WESTMERE, 0x0051, ANY_UNIT, 0x3 },  /* L1D */
	{ TPROF_X86_WESTMERE, 0x0060, ANY_UNIT, 0x1 },  /* OFFCORE_REQUESTS_OUTSTANDING */
	{ TPROF_X86_WESTMERE, 0x0063, ANY_UNIT, 0x3 },  /* CACHE_LOCK_CYCLES */
	{ TPROF_X86_WESTMERE, 0x00b3, ANY_UNIT, 0x1 },  /* SNOOPQ_REQUESTS_OUTSTANDING */

	{ TPROF_X86_SANDY_BRIDGE, 0x0048, ANY_UNIT, 0x4 },  /* L1D_PEND_MISS */
	{ TPROF_X86_SANDY_BRIDGE, 0x02a3, THIS_UNIT, 0x4 }, /* CYCLE_ACTIVITY, L1D */
	{ TPROF_X86_SANDY_BRIDGE, 0x06a3, THIS_UNIT, 0x4 }, /* CYCLE_ACTIVITY, L1D stalls */
	{ TPROF_X86_SANDY_BRIDGE, 0x01c0, THIS_UNIT, 0x2 }, /* INST_RETIRED.PREC_DIST */
	{ TPROF_X86_SANDY_BRIDGE, 0x00cd, ANY_UNIT, 0x8 },  /* MEM_TRANS_RETIRED */

	{ TPROF_X86_IVY_BRIDGE, 0x0148, THIS_UNIT, 0x4 }, /* L1D_PEND_MISS.PENDING */
	{ TPROF_X86_IVY_BRIDGE, 0x08a3, THIS_UNIT, 0x4 }, /* CYCLE_ACTIVITY, L1D */
	{ TPROF_X86_IVY_BRIDGE, 0x0ca3, THIS_UNIT, 0x4 }, /* CYCLE_ACTIVITY, L1D stalls */
	{ TPROF_X86_IVY_BRIDGE, 0x01c0, THIS_UNIT, 0x2 }, /* INST_RETIRED.PREC_DIST */
	{ TPROF_X86_IVY_BRIDGE, 0x00cd, ANY_UNIT, 0x8 },  /* MEM_TRANS_RETIRED */

	{ TPROF_X86_HASWELL, 0x0148, THIS_UNIT, 0x4 }, /* L1D_PEND_MISS.PENDING */
	{ TPROF_X86_HASWELL, 0x08a3, THIS_UNIT, 0x4 }, /* CYCLE_ACTIVITY, L1D */
	{ TPROF_X86_HASWELL, 0x0ca3, THIS_UNIT, 0x4 }, /* CYCLE_ACTIVITY, L1D stalls */
	{ TPROF_X86_HASWELL, 0x01c0, THIS_UNIT, 0x2 }, /* INST_RETIRED.PREC_DIST */
	{ TPROF_X86_HASWELL, 0x00cd, ANY_UNIT, 0x8 },  /* MEM_TRANS_RETIRED */

	{ TPROF_X86_BROADWELL, 0x0148, THIS_UNIT, 0x4 }, /* L1D_PEND_MISS.PENDING */
	{ TPROF_X86_BROADWELL, 0x08a3, UNIT_BIT(3), 0x4 }, /* CYCLE_ACTIVITY, L1D */
	{ TPROF_X86_BROADWELL, 0x01c0, THIS_UNIT, 0x2 }, /* INST_RETIRED.PREC_DIST */
	{ TPROF_X86_BROADWELL, 0x00cd, ANY_UNIT, 0x8 },  /* MEM_TRANS_RETIRED */

	{ TPROF_X86_SKYLAKE, 0x01c0, THIS_UNIT, 0x2 }, /* INST_RETIRED.PREC_DIST */

	{ TPROF_X86_ICE_LAKE, 0x01c0, THIS_UNIT, 0x0 }, /* PREC_DIST: no general counter */

	{ TPROF_X86_GOLDEN_COVE, 0x01c0, THIS_UNIT, 0x0 }, /* PREC_DIST: no general counter */
	{ TPROF_X86_GOLDEN_COVE, 0x04a4, THIS_UNIT, 0x1 }, /* TOPDOWN.BAD_SPEC_SLOTS */
	{ TPROF_X86_GOLDEN_COVE, 0x08a4, THIS_UNIT, 0x1 }, /* TOPDOWN.BR_MISPREDICT_SLOTS */
	{ TPROF_X86_GOLDEN_COVE, 0x02cd, THIS_UNIT, 0x1 }, /* MEM_TRANS_RETIRED.STORE_SAMPLE */
	{ TPROF_X86_GOLDEN_COVE, 0x00ce, ANY_UNIT, 0x1 },  /* AMX_OPS_RETIRED */

	{ TPROF_X86_LION_COVE, 0x01c0, THIS_UNIT, 0x0 }, /* PREC_DIST: no general counter */
	{ TPROF_X86_LION_COVE, 0x0148, THIS_UNIT, 0x4 }, /* L1D_MISS.LOAD */
	{ TPROF_X86_LION_COVE, 0x0175, THIS_UNIT, 0x4 }, /* INST_DECODED.DECODERS */
	{ TPROF_X86_LION_COVE, 0x08a3, THIS_UNIT, 0x4 }, /* CYCLE_ACTIVITY, L1D */
	{ TPROF_X86_LION_COVE, 0x0ca3, THIS_UNIT, 0x4 }, /* CYCLE_ACTIVITY, L1D stalls */
	{ TPROF_X86_LION_COVE, 0x04a4, THIS_UNIT, 0x1 }, /* TOPDOWN.BAD_SPEC_SLOTS */
	{ TPROF_X86_LION_COVE, 0x08a4, THIS_UNIT, 0x1 }, /* TOPDOWN.BR_MISPREDICT_SLOTS */
	{ TPROF_X86_LION_COVE, 0x10a4, THIS_UNIT, 0x8 }, /* TOPDOWN.MEMORY_BOUND_SLOTS */
	{ TPROF_X86_LION_COVE, 0x01b1, THIS_UNIT, 0x8 }, /* UOPS_EXECUTED.THREAD */
	{ TPROF_X86_LION_COVE, 0x02cd, THIS_UNIT, 0x3 }, /* MEM_TRANS_RETIRED.STORE_SAMPLE */

	{ TPROF_X86_PANTHER_COVE, 0x01c0, THIS_UNIT, 0x0 }, /* PREC_DIST: no general counter */
	{ TPROF_X86_PANTHER_COVE, 0x04a4, THIS_UNIT, 0x1 }, /* TOPDOWN.BAD_SPEC_SLOTS */
	{ TPROF_X86_PANTHER_COVE, 0x08a4, THIS_UNIT, 0x1 }, /* TOPDOWN.BR_MISPREDICT_SLOTS */
	{ TPROF_X86_PANTHER_COVE, 0x01b1, THIS_UNIT, 0x8 }, /* UOPS_EXECUTED.THREAD */
	{ TPROF_X86_PANTHER_COVE, 0x02cd, THIS_UNIT, 0x3 }, /* MEM_TRANS_RETIRED.STORE_SAMPLE */
	{ TPROF_X86_PANTHER_COVE, 0x00ce, ANY_UNIT, 0x1 }, /* AMX_OPS_RETIRED */

	{ TPROF_X86_ARCTIC_WOLF, 0x0175, THIS_UNIT, 0x1 },
	{ TPROF_X86_ARCTIC_WOLF, 0x0275, THIS_UNIT, 0x2 },
	{ TPROF_X86_ARCTIC_WOLF, 0x21d3, THIS_UNIT, 0x1 },
	{ TPROF_X86_ARCTIC_WOLF, 0x22d3, THIS_UNIT, 0x1 },
};

/*
 * BJ122, BV98, HSD29: while a counter counts one of these events of memory accesses, the
 * counter with the same index of the core's other thread may count too much. Without
 * hyper-threading, a CPU has eight general counters instead of four.
 */
static bool disturbs_other_thread(const struct tprof_x86_caps *caps,
				  enum tprof_x86_generation generation, u64 config)
{
	u32 event = config & ANY_UNIT;

	return generation >= TPROF_X86_SANDY_BRIDGE && generation <= TPROF_X86_HASWELL &&
	       event >= 0xd0 && event <= 0xd3 && !(caps->counters & 0xf0);
}

/**
 * tprof_x86_intel_constraint - find the general counters for an event
 * @caps:	capabilities of the CPU
 * @config:	event select without enable and mode bits
 *
 * Return: mask of the counters that can count the event; all bits if no
 * constraint is known.
 */
u64 tprof_x86_intel_constraint(const struct tprof_x86_caps *caps, u64 config)
{
	enum tprof_x86_generation generation = tprof_x86_generation(caps);
	const struct constraint *constraint;
	int i;

	/* Redwood Cove is a Golden Cove in this respect. */
	if (generation == TPROF_X86_REDWOOD_COVE)
		generation = TPROF_X86_GOLDEN_COVE;
	if (disturbs_other_thread(caps, generation, config))
		return NO_COUNTER;
	for (i = 0; i < ARRAY_SIZE(intel_constraints); i++) {
		constraint = &intel_constraints[i];
		if (constraint->generation == generation &&
		    (config & constraint->by) == constraint->config)
			return constraint->counters;
	}
	return ANY_COUNTER;
}

/**
 * tprof_x86_intel_grain - find which bits of a start value must be clear
 * @caps:	capabilities of the CPU
 * @config:	event select without enable and mode bits
 *
 * If the n lowest bits of a start value are clear, the counter overflows after at
 * least 2^n events. The bits avoid these errata:
 *
 * - Nehalem, Haswell: a counter that overflows after fewer than 32 events overflows
 *   twice for one interrupt.
 * - Haswell, Broadwell: INST_RETIRED.ALL needs more than 100 events to the overflow
 *   (HSW11, BDM11).
 * - Broadwell: INST_RETIRED.ALL needs the six lowest bits clear (BDM55).
 *
 * Return: mask of the bits that must be clear.
 */
u64 tprof_x86_intel_grain(const struct tprof_x86_caps *caps, u64 config)
{
	bool is_all = (config & THIS_UNIT) == INST_RETIRED_ALL;

	switch (tprof_x86_generation(caps)) {
	case TPROF_X86_NEHALEM:
		return 32 - 1;
	case TPROF_X86_HASWELL:
		return is_all ? 128 - 1 : 32 - 1;
	case TPROF_X86_BROADWELL:
		return is_all ? 128 - 1 : 0;
	default:
		return 0;
	}
}

enum {
	/*
	 * Masks of counters, named as in the BKDG of family 15h: PMC2_0 has counters
	 * 0 to 2, PMC3_0 has counters 0 and 3.
	 */
	PMC0		= 0x01,
	PMC2_0		= 0x07,
	PMC3		= 0x08,
	PMC3_0		= 0x09,
	PMC5_0		= 0x3f,
	PMC5_3		= 0x38,
};

/*
 * Return true if at most one unit mask bit is set. With more bits, some events
 * need another counter, or no counter can count them.
 */
static bool has_one_unit(u64 config)
{
	return hweight64(config & ARCH_PERFMON_EVENTSEL_UMASK) <= 1;
}

static u64 amd_15h_floating_point(u32 event, u64 config)
{
	switch (event) {
	case 0x000:
		/* Units in both halves of the unit mask need counter 3. */
		return config & 0xf000 && config & 0x0f00 ? PMC3 : PMC5_3;
	case 0x004:
		return has_one_unit(config) ? PMC5_3 : PMC3;
	case 0x003:
	case 0x00b:
	case 0x00d:
		return PMC3;
	}
	return PMC5_3;
}

static u64 amd_15h_core(u32 event, u64 config)
{
	switch (event) {
	case 0x023:
	case 0x043:
	case 0x045:
	case 0x046:
	case 0x054:
	case 0x055:
		return PMC2_0;
	case 0x02d:
		return PMC3;
	case 0x02e:
		return PMC3_0;
	case 0x031:
		return has_one_unit(config) ? PMC2_0 : NO_COUNTER;
	case 0x1c0:
		return PMC5_3;
	}
	return PMC5_0;
}

static u64 amd_15h_front_end(u32 event)
{
	switch (event) {
	case 0x08f:
	case 0x187:
	case 0x188:
		return PMC0;
	case 0x0db ... 0x0df:
	case 0x1d6:
	case 0x1d8:
		return PMC5_0;
	}
	return PMC2_0;
}

/*
 * Return the counters for @event. Event codes are grouped by the part of the
 * core that they measure.
 */
static u64 amd_15h(u32 event, u64 config)
{
	switch (event & 0xf0) {
	case 0x00:
	case 0x10:
		return amd_15h_floating_point(event, config);
	case 0x20:
	case 0x30:
	case 0x40:
	case 0x50:
	case 0xc0:
		return amd_15h_core(event, config);
	}
	return amd_15h_front_end(event);
}

/**
 * tprof_x86_amd_constraint - find the counters for an event
 * @caps:	capabilities of the CPU
 * @config:	event select without enable and mode bits
 *
 * Before family 17h, events of the northbridge are refused. From family 15h on, counters of
 * the northbridge count them, which this module does not use. Before, a core's counters
 * count them, but only one core of a node may do so at a time.
 *
 * Return: mask of the counters that can count the event; all bits if no
 * constraint is known.
 */
u64 tprof_x86_amd_constraint(const struct tprof_x86_caps *caps, u64 config)
{
	u64 select = config & AMD64_EVENTSEL_EVENT;
	u32 event = (select >> 24 & 0xf00) | (select & 0xff);

	if (caps->family >= 0x17)
		return ANY_COUNTER;
	if ((event & 0xe0) == 0xe0)
		return NO_COUNTER;
	return caps->family == 0x15 ? amd_15h(event, config) : ANY_COUNTER;
}
