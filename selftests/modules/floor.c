// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - measure the minimum cost of a counter's overflow NMI
 *
 * While this module is loaded, the first general counter of CPU 0 overflows every
 * @period instructions in user mode. The handler does the minimum: it reads the
 * status, sets the counter, acknowledges the overflow and unmasks the LVTPC. A
 * profiler's own cost is the cost of its NMI minus this minimum. The module
 * needs Intel's architectural performance monitoring, version 2 or later.
 * Nothing else may use the counters meanwhile.
 */
#include <linux/module.h>
#include <linux/smp.h>

#include <asm/apic.h>
#include <asm/msr.h>
#include <asm/nmi.h>
#include <asm/perf_event.h>
#include <asm/processor.h>

#define SELECT	(0xc0 | ARCH_PERFMON_EVENTSEL_USR |			\
		 ARCH_PERFMON_EVENTSEL_INT | ARCH_PERFMON_EVENTSEL_ENABLE)
#define COUNTER	BIT_ULL(0)

static unsigned int period = 100000;
module_param(period, uint, 0444);
MODULE_PARM_DESC(period, "instructions between two NMIs");

static unsigned long nr_nmis;
module_param(nr_nmis, ulong, 0444);
MODULE_PARM_DESC(nr_nmis, "NMIs so far");

static u64 saved_control;
static u32 saved_lvtpc;

/*
 * A write to PERFCTR0 sign-extends the low 32 bits, so the counter overflows after
 * @period instructions.
 */
static void arm(void)
{
	native_wrmsrq(MSR_ARCH_PERFMON_PERFCTR0, (u32)-period);
}

static int floor_nmi(unsigned int type, struct pt_regs *regs)
{
	u64 status;

	status = native_rdmsrq(MSR_CORE_PERF_GLOBAL_STATUS);
	if (!(status & COUNTER))
		return NMI_DONE;
	arm();
	native_wrmsrq(MSR_CORE_PERF_GLOBAL_OVF_CTRL, status);
	apic->write(APIC_LVTPC, APIC_DM_NMI);
	nr_nmis++;
	return NMI_HANDLED;
}

static void start(void *unused)
{
	saved_lvtpc = apic->read(APIC_LVTPC);
	saved_control = native_rdmsrq(MSR_CORE_PERF_GLOBAL_CTRL);
	apic->write(APIC_LVTPC, APIC_DM_NMI);
	arm();
	native_wrmsrq(MSR_ARCH_PERFMON_EVENTSEL0, SELECT);
	native_wrmsrq(MSR_CORE_PERF_GLOBAL_CTRL, COUNTER);
}

static void stop(void *unused)
{
	native_wrmsrq(MSR_ARCH_PERFMON_EVENTSEL0, 0);
	native_wrmsrq(MSR_CORE_PERF_GLOBAL_OVF_CTRL, COUNTER);
	native_wrmsrq(MSR_CORE_PERF_GLOBAL_CTRL, saved_control);
	apic->write(APIC_LVTPC, saved_lvtpc);
}

static int __init floor_init(void)
{
	int err;

	if (boot_cpu_data.x86_vendor != X86_VENDOR_INTEL ||
	    (cpuid_eax(0xa) & 0xff) < 2)
		return -ENODEV;
	err = register_nmi_handler(NMI_LOCAL, floor_nmi, 0, "tprof-lx-floor");
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
