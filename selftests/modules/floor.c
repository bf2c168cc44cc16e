// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - measure the minimum cost of a counter's overflow NMI, or of a
 * timer's interrupt
 *
 * While this module is loaded, the first general counter of CPU 0 overflows every
 * @period instructions in user mode. The handler does the minimum: it reads the
 * status, sets the counter, acknowledges the overflow and unmasks the LVTPC. A
 * profiler's own cost is the cost of its NMI minus this minimum. This needs Intel's
 * architectural performance monitoring, version 2 or later, and nothing else may
 * use the counters meanwhile.
 *
 * With timer=1, an hrtimer of CPU 0 expires every @period ns instead. Its handler only
 * counts and sets the next time. This needs no counter.
 */
#include <linux/hrtimer.h>
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
MODULE_PARM_DESC(period, "instructions or ns between two interrupts");

static bool is_timer;
module_param_named(timer, is_timer, bool, 0444);
MODULE_PARM_DESC(timer, "interrupt by a timer instead of a counter");

static unsigned long nr_taken;
module_param(nr_taken, ulong, 0444);
MODULE_PARM_DESC(nr_taken, "interrupts so far");

static struct hrtimer timer;
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
	nr_taken++;
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

static int start_counter(void)
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

static enum hrtimer_restart floor_tick(struct hrtimer *tick)
{
	hrtimer_forward_now(tick, ns_to_ktime(period));
	nr_taken++;
	return HRTIMER_RESTART;
}

static void start_timer_here(void *unused)
{
	hrtimer_start(&timer, ns_to_ktime(period), HRTIMER_MODE_REL_PINNED_HARD);
}

static int start_timer(void)
{
	hrtimer_setup(&timer, floor_tick, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	return smp_call_function_single(0, start_timer_here, NULL, true);
}

static int __init floor_init(void)
{
	return is_timer ? start_timer() : start_counter();
}
module_init(floor_init);

static void __exit floor_exit(void)
{
	if (is_timer) {
		hrtimer_cancel(&timer);
		return;
	}
	smp_call_function_single(0, stop, NULL, true);
	unregister_nmi_handler(NMI_LOCAL, "tprof-lx-floor");
}
module_exit(floor_exit);

MODULE_DESCRIPTION("tprof-lx selftests: an interrupt handler that does nothing");
MODULE_LICENSE("GPL");
