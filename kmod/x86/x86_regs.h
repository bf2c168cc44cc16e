/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - registers and CPUID leaves of the PMU
 *
 * Sources: Intel SDM volume 3, "Performance Monitoring"; AMD64 APM volume 2, section
 * 13.2. The names are those that the headers of some supported kernel lack. All other
 * registers have the kernel's names. The file also compiles in user space, for the unit
 * tests.
 */
#ifndef TPROF_X86_REGS_H
#define TPROF_X86_REGS_H

#ifdef __KERNEL__
#include <linux/bits.h>
#include <linux/perf_event.h>
#include <asm/msr-index.h>
#include <asm/perf_event.h>
#else
#include "x86_kernel.h"
#endif

/* CPUID leaves */
#define TPROF_CPUID_FEATURES		0x00000001
#define TPROF_CPUID_PERFMON		0x0000000a
#define TPROF_CPUID_EXT_FEATURES	0x00000007
#define TPROF_CPUID_CORE_TYPE		0x0000001a
#define TPROF_CPUID_PERFMON_EXT		0x00000023
#define TPROF_CPUID_AMD_MAX		0x80000000
#define TPROF_CPUID_AMD_FEATURES	0x80000001
#define TPROF_CPUID_AMD_PERFMON		0x80000022

/* CPUID 1: ECX and EDX */
#define TPROF_CPUID_1_ECX_PDCM		BIT_ULL(15)
#define TPROF_CPUID_1_ECX_HYPERVISOR	BIT_ULL(31)
#define TPROF_CPUID_1_EDX_DS		BIT_ULL(21)
/* CPUID 7.0: EDX; 7.1: EAX */
#define TPROF_CPUID_7_EDX_ALWAYS_ABORT	BIT_ULL(11)
#define TPROF_CPUID_7_EDX_FORCE_ABORT	BIT_ULL(13)
#define TPROF_CPUID_7_EDX_HYBRID	BIT_ULL(15)
#define TPROF_CPUID_7_1_EAX_PERFMON_EXT	BIT_ULL(8)
/* CPUID 80000001H: ECX */
#define TPROF_CPUID_AMD_ECX_SVM		BIT_ULL(2)
#define TPROF_CPUID_AMD_ECX_PERFCTR	BIT_ULL(23)
/* CPUID 80000022H: EAX */
#define TPROF_CPUID_AMD_EAX_V2		BIT_ULL(0)

/* MSR_IA32_PERF_CAPABILITIES: counters can be written at their full width */
#define TPROF_CAPABILITIES_FULL_WIDTH	BIT_ULL(13)

/* Event select: bits that exist if CPUID 23H says so */
#define TPROF_SELECT_EQ			BIT_ULL(36)
#define TPROF_SELECT_UMASK2		GENMASK_ULL(47, 40)

/* MSR_CORE_PERF_FIXED_CTR_CTRL: four bits for each counter */
#define TPROF_FIXED_STRIDE		4
#define TPROF_FIXED_MASK		0xfULL
#define TPROF_FIXED_KERNEL		BIT_ULL(0)
#define TPROF_FIXED_USER		BIT_ULL(1)
#define TPROF_FIXED_ANYTHREAD		BIT_ULL(2)
#define TPROF_FIXED_INTERRUPT		BIT_ULL(3)

/* MSR_CORE_PERF_GLOBAL_STATUS, version 4 and later */
#define TPROF_STATUS_LBR_FROZEN		BIT_ULL(58)
#define TPROF_STATUS_COUNTERS_FROZEN	BIT_ULL(59)

/*
 * From version 6 on, the aliases of a counter's registers are one block: value, event select
 * (of general counters only), auto-reload, extension.
 */
#define TPROF_ALIAS_GENERAL		0x1900
#define TPROF_ALIAS_FIXED		0x1980
#define TPROF_ALIAS_STEP		4
#define TPROF_ALIAS_RELOAD		2
#define TPROF_ALIAS_EXTENSION		3

/* RDPMC: index of the first fixed counter */
#define TPROF_RDPMC_FIXED		0x40000000

/*
 * The row of a counter is the position of its bit in the global registers. General
 * counters start at row 0, fixed ones at TPROF_X86_FIXED. AMD has no fixed counters.
 */
enum tprof_x86_row {
	TPROF_X86_FIXED		= 32,
	TPROF_X86_MAX_ROWS	= 64,
};

#endif /* TPROF_X86_REGS_H */
