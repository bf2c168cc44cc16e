/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - what the PMU of a CPU has, by CPUID
 *
 * Filled in once for each CPU, as those of a hybrid processor differ, and asked
 * by everything else. Never perf's own view: that is not for modules.
 * Compiles in user space.
 */
#ifndef TPROF_X86_CAPS_H
#define TPROF_X86_CAPS_H

#include "x86/x86_regs.h"

enum tprof_x86_vendor {
	TPROF_X86_NONE,
	TPROF_X86_INTEL,
	TPROF_X86_AMD,
};

/* values of @version of AMD's */
enum tprof_x86_amd_version {
	TPROF_X86_AMD_K7	= 0,
	TPROF_X86_AMD_CORE	= 1,
	TPROF_X86_AMD_V2	= 2,
};

/**
 * struct tprof_x86_regs - what CPUID leaves behind
 * @eax:	register
 * @ebx:	register
 * @ecx:	register
 * @edx:	register
 */
struct tprof_x86_regs {
	u32	eax;
	u32	ebx;
	u32	ecx;
	u32	edx;
};

/* Asks CPUID on this CPU. */
typedef void (*tprof_x86_cpuid_t)(u32 leaf, u32 subleaf,
				  struct tprof_x86_regs *regs);

/**
 * struct tprof_x86_caps - the PMU of a CPU
 * @vendor:	whose rules it follows
 * @version:	Intel: of architectural perfmon; AMD: enum tprof_x86_amd_version
 * @family:	display family
 * @model:	display model
 * @core_type:	of a hybrid processor, CPUID 1AH; else 0
 * @counters:	mask of its counters, general and fixed, by row
 * @general_bits: width of the general ones
 * @fixed_bits:	width of the fixed ones
 * @arch_known:	Intel: architectural events that CPUID speaks of, by number
 * @arch_events: Intel: those of them that there are
 * @global_ctrl: register that enables all counters, 0 if there is none
 * @global_status: register that tells which overflowed, likewise
 * @global_clear: register that clears bits of it, likewise
 * @clear_also:	bits to clear there with each overflow
 * @fixed_ctrl:	register that controls the fixed counters, likewise
 * @select:	register of the first general counter's control
 * @counter:	register by which the first general counter is written
 * @reserve:	register by which the kernel knows the first general counter
 * @step:	from a general counter's registers to those of the next
 * @has_pdcm:	there is MSR_IA32_PERF_CAPABILITIES
 * @has_full_width: counters take all of their bits when they are written
 * @has_any:	events of the core's other thread can be counted
 * @has_umask2:	unit masks have a second byte
 * @has_eq:	the threshold can be met exactly
 * @has_svm:	guests' events can be told from the host's
 * @has_hypervisor: it is a guest itself
 * @masks_lvtpc: an overflow's NMI masks those to come
 */
struct tprof_x86_caps {
	enum tprof_x86_vendor	vendor;
	u32			version;
	u32			family;
	u32			model;
	u32			core_type;
	u64			counters;
	u32			general_bits;
	u32			fixed_bits;
	u32			arch_known;
	u32			arch_events;
	u32			global_ctrl;
	u32			global_status;
	u32			global_clear;
	u64			clear_also;
	u32			fixed_ctrl;
	u32			select;
	u32			counter;
	u32			reserve;
	u32			step;
	bool			has_pdcm;
	bool			has_full_width;
	bool			has_any;
	bool			has_umask2;
	bool			has_eq;
	bool			has_svm;
	bool			has_hypervisor;
	bool			masks_lvtpc;
};

void tprof_x86_caps_fill(struct tprof_x86_caps *caps, tprof_x86_cpuid_t cpuid);
void tprof_x86_caps_set_capabilities(struct tprof_x86_caps *caps,
				     u64 capabilities);

/* How many general counters there are, counted up to the last one. */
static inline u32 tprof_x86_nr_general(const struct tprof_x86_caps *caps)
{
	return fls((u32)caps->counters);
}

/* Likewise the fixed ones. */
static inline u32 tprof_x86_nr_fixed(const struct tprof_x86_caps *caps)
{
	return fls((u32)(caps->counters >> TPROF_X86_FIXED));
}

/* How wide the counter @row is. */
static inline u32 tprof_x86_row_bits(const struct tprof_x86_caps *caps,
				     u32 row)
{
	return row < TPROF_X86_FIXED ? caps->general_bits : caps->fixed_bits;
}

#endif /* TPROF_X86_CAPS_H */
