/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the registers of a counter, by row, their contents, and access to them
 *
 * Context: interrupts off, on the CPU of the registers.
 */
#ifndef TPROF_X86_REGISTER_H
#define TPROF_X86_REGISTER_H

#include "x86/x86_cpu_types.h"
#include "x86/x86_fault.h"

static inline bool tprof_reg_is_fixed(int row)
{
	return row >= TPROF_X86_FIXED;
}

static inline u32 tprof_reg_select(const struct tprof_x86_caps *caps, int row)
{
	return caps->select + row * caps->step;
}

static inline u32 tprof_reg_counter(const struct tprof_x86_caps *caps, int row)
{
	if (tprof_reg_is_fixed(row))
		return MSR_CORE_PERF_FIXED_CTR0 + row - TPROF_X86_FIXED;
	return caps->counter + row * caps->step;
}

/* Return the alias of a register of a counter: TPROF_ALIAS_RELOAD or TPROF_ALIAS_EXTENSION. */
static inline u32 tprof_reg_alias(int row, u32 which)
{
	if (tprof_reg_is_fixed(row))
		return TPROF_ALIAS_FIXED + (row - TPROF_X86_FIXED) * TPROF_ALIAS_STEP + which;
	return TPROF_ALIAS_GENERAL + row * TPROF_ALIAS_STEP + which;
}

static inline u32 tprof_reg_pmc(int row)
{
	if (tprof_reg_is_fixed(row))
		return TPROF_RDPMC_FIXED | (row - TPROF_X86_FIXED);
	return row;
}

/*
 * If tprof_reg_read() or tprof_reg_write() fails, it sets @xcpu->fault to
 * the register.
 */
static inline int
tprof_reg_read(struct tprof_x86_cpu *xcpu, u32 msr, u64 *value)
{
	int err = tprof_x86_fault() ?: tprof_msr_read_safe(msr, value);

	if (err)
		xcpu->fault = msr;
	return err;
}

static inline int
tprof_reg_write(struct tprof_x86_cpu *xcpu, u32 msr, u64 value)
{
	int err = tprof_msr_write_safe(msr, value);

	if (err)
		xcpu->fault = msr;
	return err;
}

/* Return the mask of the rows that must not count. */
static inline u64 tprof_reg_frozen(const struct tprof_x86_cpu *xcpu)
{
	return xcpu->shut | READ_ONCE(xcpu->stalled);
}

/* Return the mask of the rows that count. */
static inline u64 tprof_reg_enabled(const struct tprof_x86_cpu *xcpu)
{
	return xcpu->armed & ~tprof_reg_frozen(xcpu);
}

/*
 * Return the control value of a counter. If the PMU has no register that
 * enables all counters, a closed gate or a stall clears the enable bit in this value.
 */
static inline u64 tprof_reg_gated(const struct tprof_x86_cpu *xcpu, int row)
{
	if (!xcpu->caps.global_ctrl && tprof_reg_frozen(xcpu) & BIT_ULL(row))
		return xcpu->selects[row] & ~ARCH_PERFMON_EVENTSEL_ENABLE;
	return xcpu->selects[row];
}

#endif /* TPROF_X86_REGISTER_H */
