// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - measure the minimum cost of a counter's overflow NMI
 *
 * While this module is loaded, the first general counter of CPU 0 overflows every
 * @period instructions in user mode. The handler does the minimum: it reads the
 * status, sets the counter and acknowledges the overflow. On Intel's CPUs, an overflow masks
 * the LVTPC, so the handler unmasks it, too. A profiler's own cost is the cost of its NMI
 * minus this minimum. The module needs Intel's architectural performance monitoring, version 2
 * or later, or AMD's PerfMonV2. Nothing else may use the counters meanwhile.
 */
#include <linux/module.h>
#include <linux/smp.h>

#include <asm/apic.h>
#include <asm/msr.h>
#include <asm/nmi.h>
#include <asm/perf_event.h>
#include TPROF_ASM_CPUID_H

#define SELECT	(0xc0 | ARCH_PERFMON_EVENTSEL_USR |			\
		 ARCH_PERFMON_EVENTSEL_INT | ARCH_PERFMON_EVENTSEL_ENABLE)
#define COUNTER	BIT_ULL(0)

static unsigned int period = 100000;
module_param(period, uint, 0444);
MODULE_PARM_DESC(period, "instructions between two NMIs");

static unsigned long nr_nmis;
module_param(nr_nmis, ulong, 0444);
MODULE_PARM_DESC(nr_nmis, "NMIs so far");

/**
 * struct registers - MSRs of the first general counter and of all counters
 * @select:	what it counts
 * @counter:	its value
 * @control:	which counters run
 * @status:	which counters have overflowed
 * @clear:	bits to clear in @status
 * @masks_lvtpc: an overflow masks the LVTPC
 */
struct registers {
	u32	select;
	u32	counter;
	u32	control;
	u32	status;
	u32	clear;
	bool	masks_lvtpc;
};

static const struct registers intel = {
	.select		= MSR_ARCH_PERFMON_EVENTSEL0,
	.counter	= MSR_ARCH_PERFMON_PERFCTR0,
	.control	= MSR_CORE_PERF_GLOBAL_CTRL,
	.status		= MSR_CORE_PERF_GLOBAL_STATUS,
	.clear		= MSR_CORE_PERF_GLOBAL_OVF_CTRL,
	.masks_lvtpc	= true,
};

static const struct registers amd = {
	.select		= MSR_F15H_PERF_CTL0,
	.counter	= MSR_F15H_PERF_CTR0,
	.control	= MSR_AMD64_PERF_CNTR_GLOBAL_CTL,
	.status		= MSR_AMD64_PERF_CNTR_GLOBAL_STATUS,
	.clear		= MSR_AMD64_PERF_CNTR_GLOBAL_STATUS_CLR,
};

static const struct registers *msr;
static u64 reload;
static u64 saved_control;
static u32 saved_lvtpc;

/* Serve an NMI. @registers is a constant, so the compiler puts its values into the code. */
static __always_inline int serve(const struct registers *registers)
{
	u64 status;

	status = native_rdmsrq(registers->status);
	if (!(status & COUNTER))
		return NMI_DONE;
	native_wrmsrq(registers->counter, reload);
	native_wrmsrq(registers->clear, status);
	if (registers->masks_lvtpc)
		apic->write(APIC_LVTPC, APIC_DM_NMI);
	nr_nmis++;
	return NMI_HANDLED;
}

static int intel_nmi(unsigned int type, struct pt_regs *regs)
{
	return serve(&intel);
}

static int amd_nmi(unsigned int type, struct pt_regs *regs)
{
	return serve(&amd);
}

static void start(void *unused)
{
	saved_lvtpc = apic->read(APIC_LVTPC);
	saved_control = native_rdmsrq(msr->control);
	apic->write(APIC_LVTPC, APIC_DM_NMI);
	native_wrmsrq(msr->counter, reload);
	native_wrmsrq(msr->select, SELECT);
	native_wrmsrq(msr->control, COUNTER);
}

static void stop(void *unused)
{
	native_wrmsrq(msr->select, 0);
	native_wrmsrq(msr->clear, COUNTER);
	native_wrmsrq(msr->control, saved_control);
	apic->write(APIC_LVTPC, saved_lvtpc);
}

/* Choose the registers of this CPU. Return false if it lacks some of them. */
static bool choose_registers(void)
{
	switch (boot_cpu_data.x86_vendor) {
	case X86_VENDOR_INTEL:
		msr = &intel;
		return (cpuid_eax(0xa) & 0xff) >= 2;
	case X86_VENDOR_AMD:
		msr = &amd;
		return boot_cpu_has(X86_FEATURE_PERFMON_V2);
	default:
		return false;
	}
}

static int __init floor_init(void)
{
	int err;

	if (!choose_registers())
		return -ENODEV;
	/*
	 * With this value, the counter overflows after @period instructions. A counter has 48
	 * bits. An Intel CPU takes the low 32 bits of the value and extends their sign.
	 */
	reload = -(u64)period & GENMASK_ULL(47, 0);
	err = msr == &intel ? register_nmi_handler(NMI_LOCAL, intel_nmi, 0, "tprof-lx-floor") :
			      register_nmi_handler(NMI_LOCAL, amd_nmi, 0, "tprof-lx-floor");
	if (err)
		return err;
	err = smp_call_function_single(0, start, NULL, true);
	if (err)
		unregister_nmi_handler(NMI_LOCAL, "tprof-lx-floor");
	return err;
}
module_init(floor_init);

static void __exit floor_exit(void)
{
	smp_call_function_single(0, stop, NULL, true);
	unregister_nmi_handler(NMI_LOCAL, "tprof-lx-floor");
}
module_exit(floor_exit);

MODULE_DESCRIPTION("tprof-lx selftests: an NMI handler that does nothing");
MODULE_LICENSE("GPL");
