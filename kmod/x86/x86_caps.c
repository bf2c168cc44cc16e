// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the capabilities of a CPU's PMU, from CPUID
 *
 * All decisions by CPUID are made here; the other files use struct tprof_x86_caps.
 * Sources: Intel SDM volume 2, CPUID leaves 0AH and 23H; AMD64 APM volume 3,
 * appendix E.
 *
 * Context: any. The file also compiles in user space, for the unit tests.
 */
#ifdef __KERNEL__
#include <linux/bitops.h>
#include <linux/string.h>
#else
#include <string.h>
#endif

#include "x86/x86_caps.h"

enum limits {
	/* Number of counters of the K7; no CPUID leaf reports it. */
	K7_COUNTERS		= 4,
	AMD_CORE_COUNTERS	= 6,
	AMD_BITS		= 48,
	/* Maximum number of architectural events in CPUID 0AH: EBX. */
	MAX_ARCH_EVENTS		= 31,
	/* Maximum number of fixed counters if CPUID reports the number, not a mask. */
	MAX_FIXED		= 16,
	/* Numbers of counters of a performance core of Alder Lake and Raptor Lake. */
	LARGE_CORE_GENERAL	= 8,
	LARGE_CORE_FIXED	= 4,
};

static u32 low_bits(u32 nr)
{
	return nr >= 32 ? ~0U : (1U << nr) - 1;
}

static void set_counters(struct tprof_x86_caps *caps, u32 general, u32 fixed)
{
	caps->counters = general | (u64)fixed << TPROF_X86_FIXED;
}

/*
 * In CPUID 0AH, EDX reports the number of contiguous fixed counters from counter 0 on.
 * From version 5 on, ECX is a mask of further fixed counters, which may have holes.
 */
static void read_perfmon(struct tprof_x86_caps *caps, tprof_x86_cpuid_t cpuid)
{
	struct tprof_x86_regs regs;
	u32 nr_events, nr_fixed;
	u32 fixed = 0;

	cpuid(TPROF_CPUID_PERFMON, 0, &regs);
	caps->version = regs.eax & 0xff;
	caps->general_bits = regs.eax >> 16 & 0xff;
	nr_events = regs.eax >> 24;
	if (nr_events > MAX_ARCH_EVENTS)
		nr_events = MAX_ARCH_EVENTS;
	caps->arch_known = low_bits(nr_events);
	caps->arch_events = caps->arch_known & ~regs.ebx;

	if (caps->version >= 2) {
		nr_fixed = regs.edx & 0x1f;
		if (nr_fixed > MAX_FIXED)
			nr_fixed = MAX_FIXED;
		fixed = low_bits(nr_fixed);
		caps->fixed_bits = regs.edx >> 5 & 0xff;
	}
	if (caps->version >= 5)
		fixed |= regs.ecx;
	/* Version 3 added AnyThread; bit 15 of EDX is set if it was removed again. */
	caps->has_any = caps->version >= 3 && !(regs.edx & BIT_ULL(15));
	set_counters(caps, low_bits(regs.eax >> 8 & 0xff), fixed);
}

/*
 * Leaf 23H describes this CPU's kind of core, while leaf 0AH describes the processor.
 * If a subleaf of leaf 23H is missing, keep the values of leaf 0AH.
 */
static void read_perfmon_ext(struct tprof_x86_caps *caps,
			     tprof_x86_cpuid_t cpuid)
{
	struct tprof_x86_regs regs;
	u32 subleaves;

	cpuid(TPROF_CPUID_PERFMON_EXT, 0, &regs);
	subleaves = regs.eax;
	caps->has_umask2 = regs.ebx & BIT_ULL(0);
	caps->has_eq = regs.ebx & BIT_ULL(1);
	if (subleaves & BIT_ULL(1)) {
		cpuid(TPROF_CPUID_PERFMON_EXT, 1, &regs);
		set_counters(caps, regs.eax, regs.ebx);
	}
	/* Auto-reload and PEBS of architectural perfmon. */
	if (subleaves & (BIT_ULL(2) | BIT_ULL(4) | BIT_ULL(5)))
		caps->extended = caps->counters;
	if (subleaves & BIT_ULL(3)) {
		cpuid(TPROF_CPUID_PERFMON_EXT, 3, &regs);
		caps->arch_known |= regs.eax;
		caps->arch_events = regs.eax;
	}
}

/*
 * Some processors use the fourth general counter to execute transactions of TSX, unless the
 * kernel lets all transactions abort. The counter would count wrongly meanwhile.
 */
static u64 counters_of_tsx(u32 features)
{
	return features & TPROF_CPUID_7_EDX_FORCE_ABORT &&
	       !(features & TPROF_CPUID_7_EDX_ALWAYS_ABORT) ? BIT_ULL(3) : 0;
}

/* Return true for Alder Lake and Raptor Lake, which have no leaf 23H. */
static bool is_alder_lake(const struct tprof_x86_caps *caps)
{
	switch (caps->model) {
	case 0x97:
	case 0x9a:
	case 0xb7:
	case 0xba:
	case 0xbf:
		return caps->family == 6;
	}
	return false;
}

/* Return true for Nehalem and Westmere. */
static bool is_nehalem(const struct tprof_x86_caps *caps)
{
	switch (caps->model) {
	case 0x1a:
	case 0x1e:
	case 0x2e:
	case 0x25:
	case 0x2c:
	case 0x2f:
		return caps->family == 6;
	}
	return false;
}

/*
 * On Alder Lake, leaf 0AH describes the counters that all cores have. A performance core
 * has more. If the firmware has disabled all efficient cores, leaf 0AH has them all.
 */
static void add_counters_of_large_core(struct tprof_x86_caps *caps)
{
	if (is_alder_lake(caps) && caps->core_type == TPROF_X86_CORE_LARGE)
		caps->counters |= low_bits(LARGE_CORE_GENERAL) |
				  (u64)low_bits(LARGE_CORE_FIXED) << TPROF_X86_FIXED;
}

static void fill_intel(struct tprof_x86_caps *caps, tprof_x86_cpuid_t cpuid,
		       u32 max_leaf)
{
	struct tprof_x86_regs regs;

	if (max_leaf < TPROF_CPUID_PERFMON)
		return;
	read_perfmon(caps, cpuid);
	cpuid(TPROF_CPUID_EXT_FEATURES, 0, &regs);
	caps->counters &= ~counters_of_tsx(regs.edx);
	if (regs.edx & TPROF_CPUID_7_EDX_HYBRID &&
	    max_leaf >= TPROF_CPUID_CORE_TYPE) {
		cpuid(TPROF_CPUID_CORE_TYPE, 0, &regs);
		caps->core_type = regs.eax >> 24;
		add_counters_of_large_core(caps);
	}
	if (max_leaf >= TPROF_CPUID_PERFMON_EXT && caps->version >= 5) {
		cpuid(TPROF_CPUID_EXT_FEATURES, 1, &regs);
		if (regs.eax & TPROF_CPUID_7_1_EAX_PERFMON_EXT)
			read_perfmon_ext(caps, cpuid);
	}
	if (!caps->version || !(u32)caps->counters || !caps->general_bits)
		return;

	caps->vendor = TPROF_X86_INTEL;
	caps->select = MSR_ARCH_PERFMON_EVENTSEL0;
	caps->counter = MSR_ARCH_PERFMON_PERFCTR0;
	caps->reserve = MSR_ARCH_PERFMON_PERFCTR0;
	caps->step = 1;
	caps->masks_lvtpc = true;
	caps->has_aliases = caps->version >= 6;
	if (caps->version >= 2) {
		caps->global_ctrl = MSR_CORE_PERF_GLOBAL_CTRL;
		caps->global_status = MSR_CORE_PERF_GLOBAL_STATUS;
		caps->global_clear = MSR_CORE_PERF_GLOBAL_OVF_CTRL;
		caps->fixed_ctrl = MSR_CORE_PERF_FIXED_CTR_CTRL;
		caps->needs_reset = is_nehalem(caps);
	}
	/*
	 * If other software enabled freezing, an overflow may freeze the counters.
	 * Clearing these bits ends the freeze.
	 */
	if (caps->version >= 4)
		caps->clear_also = TPROF_STATUS_LBR_FROZEN |
				   TPROF_STATUS_COUNTERS_FROZEN;
}

/*
 * Fill in core counters only: those of the northbridge and the L3 cache are not
 * used.
 */
static void fill_amd(struct tprof_x86_caps *caps, tprof_x86_cpuid_t cpuid)
{
	struct tprof_x86_regs regs;
	u32 max_leaf, nr = K7_COUNTERS;

	/* Processors before the K7 have other registers. */
	if (caps->family < 6)
		return;
	caps->vendor = TPROF_X86_AMD;
	caps->general_bits = AMD_BITS;
	caps->has_full_width = true;
	/* Some hypervisors mask LVTPC, as an Intel processor does. */
	caps->masks_lvtpc = caps->has_hypervisor;
	caps->select = MSR_K7_EVNTSEL0;
	caps->counter = MSR_K7_PERFCTR0;
	caps->reserve = MSR_K7_PERFCTR0;
	caps->step = 1;

	cpuid(TPROF_CPUID_AMD_MAX, 0, &regs);
	max_leaf = regs.eax;
	cpuid(TPROF_CPUID_AMD_FEATURES, 0, &regs);
	caps->has_svm = regs.ecx & TPROF_CPUID_AMD_ECX_SVM;
	if (regs.ecx & TPROF_CPUID_AMD_ECX_PERFCTR) {
		caps->version = TPROF_X86_AMD_CORE;
		caps->select = MSR_F15H_PERF_CTL;
		caps->counter = MSR_F15H_PERF_CTR;
		caps->reserve = MSR_F15H_PERF_CTR;
		caps->step = 2;
		nr = AMD_CORE_COUNTERS;
		memset(&regs, 0, sizeof(regs));
		if (max_leaf >= TPROF_CPUID_AMD_PERFMON)
			cpuid(TPROF_CPUID_AMD_PERFMON, 0, &regs);
		if (regs.eax & TPROF_CPUID_AMD_EAX_V2) {
			caps->version = TPROF_X86_AMD_V2;
			caps->global_ctrl = MSR_AMD64_PERF_CNTR_GLOBAL_CTL;
			caps->global_status =
				MSR_AMD64_PERF_CNTR_GLOBAL_STATUS;
			caps->global_clear =
				MSR_AMD64_PERF_CNTR_GLOBAL_STATUS_CLR;
			caps->clear_also = TPROF_STATUS_COUNTERS_FROZEN;
			nr = regs.ebx & 0xf;
		}
	}
	set_counters(caps, low_bits(nr), 0);
}

static bool is_vendor(const struct tprof_x86_regs *regs, const char *name)
{
	return !memcmp(&regs->ebx, name, 4) && !memcmp(&regs->edx, name + 4, 4) &&
	       !memcmp(&regs->ecx, name + 8, 4);
}

/*
 * Intel SDM, CPUID leaf 1: the extended model is valid in families 6 and 15 only, the
 * extended family in family 15 only.
 */
static void read_model(struct tprof_x86_caps *caps,
		       const struct tprof_x86_regs *features)
{
	u32 base = features->eax >> 8 & 0xf;

	caps->family = base;
	caps->model = features->eax >> 4 & 0xf;
	if (base == 0xf)
		caps->family += features->eax >> 20 & 0xff;
	if (base == 0x6 || base == 0xf)
		caps->model |= features->eax >> 12 & 0xf0;
	caps->has_pdcm = features->ecx & TPROF_CPUID_1_ECX_PDCM;
	caps->has_ds = features->edx & TPROF_CPUID_1_EDX_DS;
	caps->has_hypervisor = features->ecx & TPROF_CPUID_1_ECX_HYPERVISOR;
}

/**
 * tprof_x86_caps_fill - fill in the capabilities of this CPU's PMU
 * @caps:	result
 * @cpuid:	function that executes CPUID
 *
 * @caps->vendor becomes TPROF_X86_NONE if there is no PMU that the module knows.
 *
 * Context: any, on the CPU that @caps describes.
 */
void tprof_x86_caps_fill(struct tprof_x86_caps *caps, tprof_x86_cpuid_t cpuid)
{
	struct tprof_x86_regs leaf0, features;

	memset(caps, 0, sizeof(*caps));
	cpuid(0, 0, &leaf0);
	cpuid(TPROF_CPUID_FEATURES, 0, &features);
	read_model(caps, &features);
	if (is_vendor(&leaf0, "GenuineIntel"))
		fill_intel(caps, cpuid, leaf0.eax);
	else if (is_vendor(&leaf0, "AuthenticAMD") ||
		 is_vendor(&leaf0, "HygonGenuine"))
		fill_amd(caps, cpuid);
}

/**
 * tprof_x86_caps_set_capabilities - add the capabilities that an MSR reports
 * @caps:	result of tprof_x86_caps_fill(), with @caps->has_pdcm true
 * @capabilities: contents of MSR_IA32_PERF_CAPABILITIES
 *
 * Context: any.
 */
void tprof_x86_caps_set_capabilities(struct tprof_x86_caps *caps,
				     u64 capabilities)
{
	if (caps->vendor != TPROF_X86_INTEL ||
	    !(capabilities & TPROF_CAPABILITIES_FULL_WIDTH))
		return;
	caps->has_full_width = true;
	caps->counter = MSR_IA32_PMC0;
}
