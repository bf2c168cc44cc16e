// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - events that need a register besides those of the counter
 *
 * Such an event counts what a register of its own selects: responses to requests that leave
 * the core, loads of a minimum latency, stalls of the front end. perf takes the content of
 * that register from @config1 or @config2 of the attr, which this module refuses. Without
 * it, the event would count by what the last user left in the register. So it is refused.
 *
 * Sources: Intel's event tables; Linux, arch/x86/events/intel/core.c, *_extra_regs.
 *
 * Context: any. The file also compiles in user space, for the unit tests.
 */
#ifdef __KERNEL__
#include <linux/kernel.h>
#endif

#include "x86/x86_extra.h"
#include "x86/x86_models.h"

/**
 * struct extra_event - an event of some generations of cores
 * @first:	enum tprof_x86_generation
 * @last:	enum tprof_x86_generation
 * @config:	event and unit mask
 */
struct extra_event {
	u8	first;
	u8	last;
	u16	config;
};

static const struct extra_event extra[] = {
	/* MSR_OFFCORE_RSP_0 and _1 */
	{ TPROF_X86_NEHALEM, TPROF_X86_ICE_LAKE, 0x01b7 },
	{ TPROF_X86_WESTMERE, TPROF_X86_ICE_LAKE, 0x01bb },
	{ TPROF_X86_GOLDEN_COVE, TPROF_X86_LION_COVE, 0x012a },
	{ TPROF_X86_GOLDEN_COVE, TPROF_X86_LION_COVE, 0x012b },
	{ TPROF_X86_ATOM, TPROF_X86_CRESTMONT, 0x01b7 },
	{ TPROF_X86_ATOM, TPROF_X86_CRESTMONT, 0x02b7 },
	/* MSR_OMR_0 to _3 */
	{ TPROF_X86_PANTHER_COVE, TPROF_X86_PANTHER_COVE, 0x012a },
	{ TPROF_X86_PANTHER_COVE, TPROF_X86_PANTHER_COVE, 0x022a },
	{ TPROF_X86_PANTHER_COVE, TPROF_X86_PANTHER_COVE, 0x042a },
	{ TPROF_X86_PANTHER_COVE, TPROF_X86_PANTHER_COVE, 0x082a },
	{ TPROF_X86_PANTHER_COVE, TPROF_X86_PANTHER_COVE, 0x014f },
	{ TPROF_X86_PANTHER_COVE, TPROF_X86_PANTHER_COVE, 0x024f },
	{ TPROF_X86_PANTHER_COVE, TPROF_X86_PANTHER_COVE, 0x044f },
	{ TPROF_X86_PANTHER_COVE, TPROF_X86_PANTHER_COVE, 0x084f },
	{ TPROF_X86_PANTHER_COVE, TPROF_X86_PANTHER_COVE, 0x01d6 },
	{ TPROF_X86_PANTHER_COVE, TPROF_X86_PANTHER_COVE, 0x02d6 },
	{ TPROF_X86_PANTHER_COVE, TPROF_X86_PANTHER_COVE, 0x04d6 },
	{ TPROF_X86_PANTHER_COVE, TPROF_X86_PANTHER_COVE, 0x08d6 },
	{ TPROF_X86_ARCTIC_WOLF, TPROF_X86_ARCTIC_WOLF, 0x01b7 },
	{ TPROF_X86_ARCTIC_WOLF, TPROF_X86_ARCTIC_WOLF, 0x02b7 },
	{ TPROF_X86_ARCTIC_WOLF, TPROF_X86_ARCTIC_WOLF, 0x04b7 },
	{ TPROF_X86_ARCTIC_WOLF, TPROF_X86_ARCTIC_WOLF, 0x08b7 },
	/* MSR_PEBS_LD_LAT_THRESHOLD */
	{ TPROF_X86_NEHALEM, TPROF_X86_WESTMERE, 0x100b },
	{ TPROF_X86_SANDY_BRIDGE, TPROF_X86_PANTHER_COVE, 0x01cd },
	{ TPROF_X86_GRACEMONT, TPROF_X86_ARCTIC_WOLF, 0x05d0 },
	/* MSR_PEBS_FRONTEND */
	{ TPROF_X86_SKYLAKE, TPROF_X86_GOLDEN_COVE, 0x01c6 },
	{ TPROF_X86_REDWOOD_COVE, TPROF_X86_PANTHER_COVE, 0x02c6 },
	{ TPROF_X86_REDWOOD_COVE, TPROF_X86_PANTHER_COVE, 0x03c6 },
	{ TPROF_X86_GOLDEN_COVE, TPROF_X86_PANTHER_COVE, 0x40ad },
	{ TPROF_X86_GOLDEN_COVE, TPROF_X86_PANTHER_COVE, 0x04c2 },
	/* MSR_SNOOP_RSP_0 and _1 */
	{ TPROF_X86_CRESTMONT, TPROF_X86_ARCTIC_WOLF, 0x0127 },
	{ TPROF_X86_CRESTMONT, TPROF_X86_ARCTIC_WOLF, 0x0227 },
};

/**
 * tprof_x86_needs_extra - report whether an event needs another register
 * @caps:	capabilities of a CPU of Intel's
 * @config:	event select without enable and mode bits
 *
 * Return: true if the event counts by the content of a register that this module does
 * not write.
 */
bool tprof_x86_needs_extra(const struct tprof_x86_caps *caps, u64 config)
{
	enum tprof_x86_generation generation = tprof_x86_generation(caps);
	u32 event = config & (ARCH_PERFMON_EVENTSEL_EVENT | ARCH_PERFMON_EVENTSEL_UMASK);
	int i;

	for (i = 0; i < ARRAY_SIZE(extra); i++) {
		if (generation >= extra[i].first && generation <= extra[i].last &&
		    event == extra[i].config)
			return true;
	}
	return false;
}
