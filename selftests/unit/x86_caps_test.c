// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - PMU capabilities from CPUID
 *
 * Each processor is a table of CPUID leaves. A leaf that is not in the table reads as
 * zero, as leaves beyond the last one do on AMD.
 */
#include <string.h>

#include "unit.h"
#include "x86/x86_caps.h"

void (*tprof_test_interrupt)(void);

struct leaf {
	u32			leaf;
	u32			subleaf;
	struct tprof_x86_regs	regs;
};

#define MAX_LEAVES	8

#define VENDOR_INTEL(max)	{ 0, 0, { max, 0x756e6547, 0x6c65746e, 0x49656e69 } }
#define VENDOR_AMD(max)		{ 0, 0, { max, 0x68747541, 0x444d4163, 0x69746e65 } }
#define VENDOR_HYGON(max)	{ 0, 0, { max, 0x6f677948, 0x656e6975, 0x6e65476e } }
#define PDCM			0x8000
#define GUEST			0x80000000

/* A Core Duo: version 1, two counters of 40 bits. */
static const struct leaf yonah[MAX_LEAVES] = {
	VENDOR_INTEL(0xa),
	{ 1, 0, { 0x6e8, 0, 0, 0 } },
	{ 0xa, 0, { 0x07280201, 0, 0, 0 } },
};

/* A Core 2: version 2, and fixed counters. */
static const struct leaf core2[MAX_LEAVES] = {
	VENDOR_INTEL(0xa),
	{ 1, 0, { 0x6fb, 0, PDCM, 0 } },
	{ 0xa, 0, { 0x07280202, 0, 0, 0x0503 } },
};

/* A Nehalem: version 3, without the events reference cycles and branch misses. */
static const struct leaf nehalem[MAX_LEAVES] = {
	VENDOR_INTEL(0xb),
	{ 1, 0, { 0x106a5, 0, PDCM, 0 } },
	{ 0xa, 0, { 0x07300403, 0x44, 0, 0x0603 } },
};

/* A Skylake with hyper-threading: version 4. */
static const struct leaf skylake[MAX_LEAVES] = {
	VENDOR_INTEL(0x16),
	{ 1, 0, { 0x50654, 0, PDCM, 0 } },
	{ 0xa, 0, { 0x07300404, 0, 0, 0x0603 } },
};

/* An Ice Lake server: version 5, fixed counters reported as a mask, no AnyThread. */
static const struct leaf icelake[MAX_LEAVES] = {
	VENDOR_INTEL(0x1b),
	{ 1, 0, { 0x606a6, 0, PDCM | GUEST, 0 } },
	{ 0xa, 0, { 0x08300805, 0, 0xf, 0x8604 } },
};

/* A small core of a hybrid CPU: leaf 0AH describes all cores, leaf 23H only this one. */
static const struct leaf small_core[MAX_LEAVES] = {
	VENDOR_INTEL(0x23),
	{ 1, 0, { 0xa06a4, 0, PDCM, 0 } },
	{ 7, 0, { 1, 0, 0, 0x8000 } },
	{ 7, 1, { 0x100, 0, 0, 0 } },
	{ 0xa, 0, { 0x07300605, 0, 0x7, 0x8603 } },
	{ 0x1a, 0, { 0x20000001, 0, 0, 0 } },
	{ 0x23, 0, { 0xf, 0x1, 0, 0 } },
	{ 0x23, 1, { 0xff, 0x77, 0, 0 } },
};

/* A performance core of an Alder Lake: leaf 0AH describes the efficient cores, too. */
static const struct leaf large_core[MAX_LEAVES] = {
	VENDOR_INTEL(0x20),
	{ 1, 0, { 0x90672, 0, PDCM, 0 } },
	{ 7, 0, { 1, 0, 0, 0x8000 } },
	{ 0xa, 0, { 0x07300605, 0, 0x7, 0x8603 } },
	{ 0x1a, 0, { 0x40000001, 0, 0, 0 } },
};

static const struct leaf athlon[MAX_LEAVES] = {
	VENDOR_AMD(1),
	{ 1, 0, { 0x00060fb1, 0, 0, 0 } },
	{ 0x80000000, 0, { 0x80000018, 0, 0, 0 } },
	{ 0x80000001, 0, { 0, 0, 0x11f, 0 } },
};

/*
 * A Zen: it has the core performance counter extension. Its last leaf is 8000001FH,
 * so the values of leaf 80000022H must be ignored.
 */
static const struct leaf zen[MAX_LEAVES] = {
	VENDOR_AMD(0xd),
	{ 1, 0, { 0x00800f12, 0, GUEST, 0 } },
	{ 0x80000000, 0, { 0x8000001f, 0, 0, 0 } },
	{ 0x80000001, 0, { 0, 0, 0x00800004, 0 } },
	{ 0x80000022, 0, { 1, 0x3f, 0, 0 } },
};

static const struct leaf zen4[MAX_LEAVES] = {
	VENDOR_AMD(0x10),
	{ 1, 0, { 0x00a10f11, 0, 0, 0 } },
	{ 0x80000000, 0, { 0x80000028, 0, 0, 0 } },
	{ 0x80000001, 0, { 0, 0, 0x00800004, 0 } },
	{ 0x80000022, 0, { 0x7, 0x00106106, 0, 0 } },
};

static const struct leaf hygon[MAX_LEAVES] = {
	VENDOR_HYGON(0xd),
	{ 1, 0, { 0x00900f22, 0, 0, 0 } },
	{ 0x80000000, 0, { 0x8000001f, 0, 0, 0 } },
	{ 0x80000001, 0, { 0, 0, 0x00800000, 0 } },
};

/* A guest without a vPMU: leaf 0AH exists and is zero. */
static const struct leaf no_pmu[MAX_LEAVES] = {
	VENDOR_INTEL(0x16),
	{ 1, 0, { 0x50654, 0, GUEST, 0 } },
};

/* A CPU that is too old for leaf 0AH. For 0AH it returns the data of its last leaf. */
static const struct leaf no_leaf[MAX_LEAVES] = {
	VENDOR_INTEL(0x5),
	{ 1, 0, { 0xf29, 0, 0, 0 } },
	{ 0xa, 0, { 0x07300404, 0, 0, 0x0603 } },
};

static const struct leaf *machine;

static void ask(u32 leaf, u32 subleaf, struct tprof_x86_regs *regs)
{
	memset(regs, 0, sizeof(*regs));
	for (int i = 0; i < MAX_LEAVES; i++) {
		if (machine[i].leaf == leaf && machine[i].subleaf == subleaf) {
			*regs = machine[i].regs;
			return;
		}
	}
}

static struct tprof_x86_caps fill(const struct leaf *leaves)
{
	struct tprof_x86_caps caps;

	machine = leaves;
	memset(&caps, 0xee, sizeof(caps));
	tprof_x86_caps_fill(&caps, ask);
	return caps;
}

/* @features is EDX of leaf 7. */
static struct tprof_x86_caps fill_skylake(u32 features)
{
	struct leaf leaves[MAX_LEAVES];

	memcpy(leaves, skylake, sizeof(leaves));
	leaves[MAX_LEAVES - 1] = (struct leaf){ 7, 0, { 0, 0, 0, features } };
	return fill(leaves);
}

/*
 * @eax and @fixed are EAX and the number of fixed counters of leaf 0AH, @type is EAX of leaf
 * 1AH.
 */
static struct tprof_x86_caps fill_alder_lake(u32 eax, u32 fixed, u32 type)
{
	struct leaf leaves[MAX_LEAVES];

	memcpy(leaves, large_core, sizeof(leaves));
	leaves[3].regs = (struct tprof_x86_regs){ eax, 0, (1 << fixed) - 1, 0x8600 | fixed };
	leaves[4].regs.eax = type;
	return fill(leaves);
}

static struct tprof_x86_caps fill_version(u32 version)
{
	struct leaf leaves[MAX_LEAVES];

	memcpy(leaves, icelake, sizeof(leaves));
	leaves[2].regs.eax += version - 5;
	return fill(leaves);
}

static u64 rows(u32 general, u32 fixed)
{
	return general | (u64)fixed << 32;
}

static void test_old_intel(void)
{
	struct tprof_x86_caps caps = fill(yonah);

	unit_ok(caps.vendor == TPROF_X86_INTEL && caps.version == 1 &&
		caps.counters == rows(3, 0) && caps.general_bits == 40,
		"version 1 has general counters only");
	unit_ok(!caps.global_ctrl && !caps.global_status && !caps.fixed_ctrl &&
		!caps.has_any && !caps.has_pdcm,
		"version 1 has no global registers");
	caps = fill(core2);
	unit_ok(caps.version == 2 && caps.counters == rows(3, 7) &&
		caps.fixed_bits == 40 && caps.global_ctrl == 0x38f &&
		caps.global_status == 0x38e &&
		caps.global_clear == 0x390 && caps.fixed_ctrl == 0x38d &&
		!caps.clear_also && !caps.has_any,
		"version 2 has fixed counters and global registers");
	caps = fill(nehalem);
	unit_ok(caps.version == 3 && caps.counters == rows(0xf, 7) &&
		caps.general_bits == 48 && caps.has_any &&
		caps.arch_known == 0x7f && caps.arch_events == 0x3b,
		"version 3 leaves out events that CPUID marks as missing");
	unit_ok(caps.family == 6 && caps.model == 0x1a && caps.masks_lvtpc,
		"the extended model number is decoded");
}

static void test_new_intel(void)
{
	struct tprof_x86_caps caps = fill(skylake);

	unit_ok(caps.version == 4 && caps.has_any && caps.has_pdcm &&
		caps.clear_also == (3ULL << 58) && !caps.has_hypervisor,
		"version 4 has bits of frozen counters to clear");
	unit_ok(!caps.has_full_width && caps.counter == 0xc1,
		"full width is not assumed");
	tprof_x86_caps_set_capabilities(&caps, 0);
	unit_ok(!caps.has_full_width,
		"full width is not taken from an empty register");
	tprof_x86_caps_set_capabilities(&caps, 1 << 13);
	unit_ok(caps.has_full_width && caps.counter == 0x4c1 &&
		caps.reserve == 0xc1,
		"full width moves the register that is written");
	caps = fill_skylake(0x2000);
	unit_ok(caps.counters == rows(7, 7), "the counter that TSX needs is not used");
	caps = fill_skylake(0x2800);
	unit_ok(caps.counters == rows(0xf, 7), "without TSX, all counters are used");
	caps = fill(icelake);
	unit_ok(caps.version == 5 && caps.counters == rows(0xff, 0xf) &&
		!caps.has_any && caps.has_hypervisor &&
		!caps.core_type && caps.arch_known == 0xff,
		"version 5 has a mask of fixed counters and no AnyThread");
	caps = fill(small_core);
	unit_ok(caps.counters == rows(0xff, 0x77) && caps.core_type == 0x20 &&
		caps.has_umask2 && !caps.has_eq,
		"a hybrid's core has its own counters, with holes");
	unit_ok(tprof_x86_nr_general(&caps) == 8, "a hybrid's core has 8 general counters");
	unit_ok(caps.extended == rows(0xff, 0x77) && !fill(large_core).extended,
		"a core with auto-reload has registers for it");
	unit_ok(!caps.has_aliases && fill_version(6).has_aliases,
		"from version 6 on, the registers have aliases");
}

static void test_alder_lake(void)
{
	struct tprof_x86_caps caps = fill(large_core);

	unit_ok(caps.counters == rows(0xff, 0xf) && caps.core_type == 0x40,
		"Alder Lake: a performance core has more counters than leaf 0AH reports");
	caps = fill_alder_lake(0x07300605, 3, 0x20000001);
	unit_ok(caps.counters == rows(0x3f, 0x7) && caps.core_type == 0x20,
		"Alder Lake: an efficient core has those of leaf 0AH");
	caps = fill_alder_lake(0x08300805, 4, 0x40000001);
	unit_ok(caps.counters == rows(0xff, 0xf),
		"Alder Lake: without efficient cores, leaf 0AH reports all counters");
}

/* Fill in an Intel processor of family 6. */
static struct tprof_x86_caps fill_model(u32 model)
{
	struct leaf leaves[MAX_LEAVES];

	memcpy(leaves, large_core, sizeof(leaves));
	leaves[1].regs.eax = 0x600 | (model & 0xf) << 4 | (model & 0xf0) << 12;
	leaves[2].regs.edx = 0;
	return fill(leaves);
}

static void test_reset(void)
{
	static const u8 nehalems[] = { 0x1a, 0x1e, 0x2e, 0x25, 0x2c, 0x2f };
	u64 found = 0, wanted = 0;

	for (u32 model = 0; model < 0x40; model++)
		found |= (u64)fill_model(model).needs_reset << model;
	for (int i = 0; i < ARRAY_SIZE(nehalems); i++)
		wanted |= 1ULL << nehalems[i];
	unit_ok(found == wanted, "Nehalem and Westmere need resets, their neighbours do not");
}

static void test_amd(void)
{
	struct tprof_x86_caps caps = fill(athlon);

	unit_ok(caps.vendor == TPROF_X86_AMD &&
		caps.version == TPROF_X86_AMD_K7 &&
		caps.counters == rows(0xf, 0) &&
		caps.select == 0xc0010000 && caps.counter == 0xc0010004 &&
		caps.step == 1 && caps.general_bits == 48,
		"K7: there are four counters without a CPUID leaf");
	caps = fill(zen);
	unit_ok(caps.version == TPROF_X86_AMD_CORE && caps.family == 0x17 &&
		caps.counters == rows(0x3f, 0) &&
		caps.select == 0xc0010200 && caps.counter == 0xc0010201 &&
		caps.step == 2 && !caps.global_ctrl && caps.has_svm,
		"core extension: a leaf beyond the last one is not used");
	unit_ok(caps.masks_lvtpc, "in a guest, an NMI may mask LVTPC");
	caps = fill(zen4);
	unit_ok(caps.version == TPROF_X86_AMD_V2 && caps.family == 0x19 &&
		caps.counters == rows(0x3f, 0) &&
		caps.global_ctrl == 0xc0000301 &&
		caps.global_status == 0xc0000300 &&
		caps.global_clear == 0xc0000302 && !caps.masks_lvtpc,
		"PerfMonV2 has global registers and a number of counters");
	caps = fill(hygon);
	unit_ok(caps.vendor == TPROF_X86_AMD && caps.family == 0x18 &&
		!caps.has_svm,
		"Hygon's counters are AMD's");
}

static void test_none(void)
{
	struct tprof_x86_caps caps = fill(no_pmu);

	unit_ok(caps.vendor == TPROF_X86_NONE,
		"version 0 means that there is no PMU");
	caps = fill(no_leaf);
	unit_ok(caps.vendor == TPROF_X86_NONE,
		"a leaf beyond the last one is not read");
}

int main(void)
{
	test_old_intel();
	test_new_intel();
	test_alder_lake();
	test_reset();
	test_amd();
	test_none();
	return unit_exit();
}
