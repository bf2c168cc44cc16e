/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the capabilities of a CPU's PMU, from CPUID
 *
 * The capabilities are filled in once for each CPU, because the CPUs of a hybrid
 * processor differ. perf's own view of the PMU cannot be used: it is not exported to
 * modules. The file also compiles in user space, for the unit tests.
 */
#ifndef TPROF_X86_CAPS_H
#define TPROF_X86_CAPS_H

#include "x86/x86_regs.h"

enum tprof_x86_vendor {
	TPROF_X86_NONE,
	TPROF_X86_INTEL,
	TPROF_X86_AMD,
};

/* Values of @version for AMD. */
enum tprof_x86_amd_version {
	TPROF_X86_AMD_K7	= 0,
	TPROF_X86_AMD_CORE	= 1,
	TPROF_X86_AMD_V2	= 2,
};

/* Values of @core_type: a performance core and an efficient core. */
enum tprof_x86_core_type {
	TPROF_X86_CORE_SMALL	= 0x20,
	TPROF_X86_CORE_LARGE	= 0x40,
};

/**
 * struct tprof_x86_regs - result of CPUID
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

/* Executes CPUID on this CPU. */
typedef void (*tprof_x86_cpuid_t)(u32 leaf, u32 subleaf,
				  struct tprof_x86_regs *regs);

/**
 * struct tprof_x86_caps - capabilities of a CPU's PMU
 * @vendor:	vendor that defines the registers of the PMU
 * @version:	Intel: version of architectural perfmon; AMD: enum
 *		tprof_x86_amd_version
 * @family:	display family
 * @model:	display model
 * @core_type:	enum tprof_x86_core_type from CPUID 1AH on a hybrid processor; else 0
 * @counters:	mask of general and fixed counters, by row (enum tprof_x86_row)
 * @general_bits: width of a general counter
 * @fixed_bits:	width of a fixed counter
 * @arch_known:	Intel: mask of the architectural events whose presence CPUID reports
 * @arch_events: Intel: mask of the architectural events that the processor has
 * @global_ctrl: register that enables all counters; 0 if there is none
 * @global_status: register that shows which counters overflowed; 0 if none
 * @global_clear: register that clears bits of @global_status; 0 if none
 * @clear_also:	further bits to write to @global_clear with each overflow
 * @fixed_ctrl:	register that controls the fixed counters; 0 if none
 * @select:	control register of the first general counter
 * @counter:	register that writes the first general counter
 * @reserve:	register by which the kernel reserves the first general counter
 * @step:	distance between the registers of two adjacent general counters
 * @extended:	Intel: mask of the counters with registers for auto-reload and extensions
 * @has_ds:	processor may have MSR_IA32_PEBS_ENABLE
 * @has_pdcm:	MSR_IA32_PERF_CAPABILITIES exists
 * @has_full_width: counters can be written at their full width
 * @has_any:	a counter can count events of the core's other thread as well
 * @has_umask2:	unit masks have a second byte
 * @has_eq:	a counter can count cycles that meet the threshold exactly
 * @needs_reset: general counters must be reset before one gets another event: x86_reset.c
 * @has_aliases: the registers have further numbers, which the kernel does not reserve
 * @has_svm:	a counter can count guests and the host separately
 * @has_hypervisor: this is the CPU of a virtual machine
 * @masks_lvtpc: an overflow's NMI masks LVTPC; no overflow sends an NMI until
 *		the handler unmasks LVTPC
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
	u64			extended;
	bool			has_ds;
	bool			has_pdcm;
	bool			has_full_width;
	bool			has_any;
	bool			has_umask2;
	bool			has_eq;
	bool			needs_reset;
	bool			has_aliases;
	bool			has_svm;
	bool			has_hypervisor;
	bool			masks_lvtpc;
};

void tprof_x86_caps_fill(struct tprof_x86_caps *caps, tprof_x86_cpuid_t cpuid);
void tprof_x86_caps_set_capabilities(struct tprof_x86_caps *caps,
				     u64 capabilities);

/* Number of general counters, holes included. */
static inline u32 tprof_x86_nr_general(const struct tprof_x86_caps *caps)
{
	return fls((u32)caps->counters);
}

/* Width of the counter @row, in bits. */
static inline u32 tprof_x86_row_bits(const struct tprof_x86_caps *caps,
				     u32 row)
{
	return row < TPROF_X86_FIXED ? caps->general_bits : caps->fixed_bits;
}

#endif /* TPROF_X86_CAPS_H */
