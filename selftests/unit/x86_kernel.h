/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx unit tests - kernel definitions for the x86 files of the module
 *
 * The register and bit numbers are copied from the manuals, not from the module, so that
 * a wrong number in the module makes a test fail.
 */
#ifndef TPROF_UNIT_X86_KERNEL_H
#define TPROF_UNIT_X86_KERNEL_H

#include <linux/perf_event.h>

#include "kernel.h"

/* All code runs in one thread. */
#define data_race(expression)	(expression)

#define noinline		__attribute__((__noinline__))
#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))
#define U16_MAX			0xffff
#define GENMASK_ULL(h, l)	((~0ULL << (l)) & (~0ULL >> (63 - (h))))
#define clamp(x, low, high)	min(max(x, low), high)

extern unsigned long jiffies;

#define time_after(a, b)	((long)((b) - (a)) < 0)

static inline int hweight64(u64 x)
{
	return __builtin_popcountll(x);
}

static inline int fls(u32 x)
{
	return x ? 32 - __builtin_clz(x) : 0;
}

static inline unsigned long __fls(unsigned long x)
{
	return 63 - __builtin_clzl(x);
}

static inline unsigned long __ffs(unsigned long x)
{
	return __builtin_ctzl(x);
}

static inline void set_bit(unsigned int nr, unsigned long *word)
{
	*word |= 1UL << nr;
}

static inline void clear_bit(unsigned int nr, unsigned long *word)
{
	*word &= ~(1UL << nr);
}

static inline bool is_power_of_2(unsigned long n)
{
	return n && !(n & (n - 1));
}

static inline u64 div64_u64(u64 dividend, u64 divisor)
{
	return dividend / divisor;
}

/* Intel SDM volume 4 */
#define MSR_ARCH_PERFMON_PERFCTR0		0xc1
#define MSR_ARCH_PERFMON_EVENTSEL0		0x186
#define MSR_IA32_PERF_CAPABILITIES		0x345
#define MSR_IA32_PMC0				0x4c1
#define MSR_IA32_PEBS_ENABLE			0x3f1
#define MSR_CORE_PERF_FIXED_CTR0		0x309
#define MSR_CORE_PERF_FIXED_CTR_CTRL		0x38d
#define MSR_CORE_PERF_GLOBAL_STATUS		0x38e
#define MSR_CORE_PERF_GLOBAL_CTRL		0x38f
#define MSR_CORE_PERF_GLOBAL_OVF_CTRL		0x390

/* AMD64 APM volume 2, appendix A */
#define MSR_EFER				0xc0000080
#define EFER_SVME				(1 << 12)
#define MSR_AMD64_PERF_CNTR_GLOBAL_STATUS	0xc0000300
#define MSR_AMD64_PERF_CNTR_GLOBAL_CTL		0xc0000301
#define MSR_AMD64_PERF_CNTR_GLOBAL_STATUS_CLR	0xc0000302
#define MSR_K7_EVNTSEL0				0xc0010000
#define MSR_K7_PERFCTR0				0xc0010004
#define MSR_F15H_PERF_CTL			0xc0010200
#define MSR_F15H_PERF_CTR			0xc0010201

/* Event select, both vendors */
#define ARCH_PERFMON_EVENTSEL_EVENT		0xffULL
#define ARCH_PERFMON_EVENTSEL_UMASK		0xff00ULL
#define ARCH_PERFMON_EVENTSEL_USR		BIT_ULL(16)
#define ARCH_PERFMON_EVENTSEL_OS		BIT_ULL(17)
#define ARCH_PERFMON_EVENTSEL_EDGE		BIT_ULL(18)
#define ARCH_PERFMON_EVENTSEL_INT		BIT_ULL(20)
#define ARCH_PERFMON_EVENTSEL_ANY		BIT_ULL(21)
#define ARCH_PERFMON_EVENTSEL_ENABLE		BIT_ULL(22)
#define ARCH_PERFMON_EVENTSEL_INV		BIT_ULL(23)
#define ARCH_PERFMON_EVENTSEL_CMASK		0xff000000ULL
#define AMD64_EVENTSEL_EVENT			(0xffULL | 0xfULL << 32)
#define AMD64_EVENTSEL_GUESTONLY		BIT_ULL(40)
#define AMD64_EVENTSEL_HOSTONLY			BIT_ULL(41)

/* Local APIC: NMI delivery mode, mask bit */
#define APIC_DM_NMI				0x400
#define APIC_LVT_MASKED				0x10000

#endif /* TPROF_UNIT_X86_KERNEL_H */
