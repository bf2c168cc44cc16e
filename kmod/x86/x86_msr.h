/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - reading and writing registers of this CPU
 *
 * The code that sets up counters uses the *_safe() functions, which return -EIO if the
 * access faults, as it may under a hypervisor. NMI handlers use the other
 * functions, on registers that have been accessed safely before.
 *
 * In user space, the unit tests define the functions over a model of the registers.
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

/*
 * The kernel's function for RDPMC is not used: its prototype differs between kernel
 * versions, and it may call a tracepoint.
 */
static inline u64 tprof_pmc_read(u32 pmc)
{
	u64 low, high;

	asm volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(pmc));
	return low | high << 32;
}

/* Return -EIO if RDPMC faults, as it may if a hypervisor hides the counters. */
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
 * The kernel's apic_write() is a static call that is not exported to modules.
 * tprof_apic_write() calls the same function.
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
