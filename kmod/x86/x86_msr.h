/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - reading and writing registers of this CPU
 *
 * Setting up uses the safe functions, which return an errno if a hypervisor
 * does not let an access through. NMI handlers use the plain ones, for
 * registers that were set up before.
 *
 * In user space the unit tests bring a model of the registers.
 */
#ifndef TPROF_X86_MSR_H
#define TPROF_X86_MSR_H

#ifdef __KERNEL__
#include <linux/errno.h>
#include <linux/static_call.h>
#include <linux/types.h>
#include <asm/apic.h>
#include <asm/asm.h>
#include <asm/msr.h>

static inline u64 tprof_msr_read(u32 msr)
{
	return native_rdmsrq(msr);
}

static inline void tprof_msr_write(u32 msr, u64 value)
{
	native_wrmsrq(msr, value);
}

static inline int tprof_msr_read_safe(u32 msr, u64 *value)
{
	return rdmsrq_safe(msr, value) ? -EIO : 0;
}

static inline int tprof_msr_write_safe(u32 msr, u64 value)
{
	return wrmsrq_safe(msr, value) ? -EIO : 0;
}

/* The kernel's own function has changed its type, and checks a tracepoint. */
static inline u64 tprof_pmc_read(u32 pmc)
{
	u32 low, high;

	asm volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(pmc));
	return low | (u64)high << 32;
}

/* If a hypervisor hides the counters, RDPMC may be an invalid instruction. */
static inline int tprof_pmc_read_safe(u32 pmc)
{
	u32 low, high;
	int err = -EIO;

	asm volatile("1:	rdpmc\n"
		     "	xorl	%0, %0\n"
		     "2:\n"
		     _ASM_EXTABLE(1b, 2b)
		     : "+r"(err), "=&a"(low), "=&d"(high)
		     : "c"(pmc));
	return err;
}

/*
 * apic_write() is a static call that is not exported to modules: this one is set
 * to the same function at module load.
 */
DECLARE_STATIC_CALL(tprof_apic_write, native_apic_mem_write);

static inline u32 tprof_lvtpc_read(void)
{
	return apic->read(APIC_LVTPC);
}

static inline void tprof_lvtpc_write(u32 value)
{
	static_call(tprof_apic_write)(APIC_LVTPC, value);
}

static inline u64 tprof_tsc(void)
{
	return rdtsc();
}

void tprof_x86_msr_init(void);
#else
#include "x86_kernel.h"

u64 tprof_msr_read(u32 msr);
void tprof_msr_write(u32 msr, u64 value);
int tprof_msr_read_safe(u32 msr, u64 *value);
int tprof_msr_write_safe(u32 msr, u64 value);
u64 tprof_pmc_read(u32 pmc);
int tprof_pmc_read_safe(u32 pmc);
u32 tprof_lvtpc_read(void);
void tprof_lvtpc_write(u32 value);
u64 tprof_tsc(void);
#endif

#endif /* TPROF_X86_MSR_H */
