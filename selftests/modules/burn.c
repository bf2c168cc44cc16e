// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - a module that spends time in contexts that are hard to sample
 *
 * Each context has its own function that burns time. The function reads the TSC
 * inline, so all the time is spent within its bounds. tprof_lx_burn_irqs_off()
 * runs with interrupts off from its first to its last instruction: its caller
 * disables and enables them. So a timer interrupt that comes late samples the
 * caller, not the function.
 */
#include <linux/completion.h>
#include <linux/cpumask.h>
#include <linux/fs.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/ktime.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/smp.h>
#include <linux/uaccess.h>

#include <asm/apic.h>
#include <asm/nmi.h>
#include <asm/tsc.h>

#include "tprof_lx_burn.h"

/* burn_lock allows one request at a time and protects the variables below. */
static DEFINE_MUTEX(burn_lock);
static DECLARE_COMPLETION(burnt);
static u64 burn_cycles;
static u64 burn_spent_ns;

static __always_inline void spin(u64 cycles)
{
	u64 begin = rdtsc();

	/* No cpu_relax(): PAUSE causes a VM exit on some hypervisors. */
	while (rdtsc() - begin < cycles)
		barrier();
}

static noinline void tprof_lx_burn_task(u64 cycles)
{
	spin(cycles);
}

static noinline void tprof_lx_burn_irqs_off(u64 cycles)
{
	spin(cycles);
}

static noinline void tprof_lx_burn_softirq(u64 cycles)
{
	spin(cycles);
}

static noinline void tprof_lx_burn_hardirq(u64 cycles)
{
	spin(cycles);
}

/*
 * Measure with the same clock as the samples. Then burn_spent_ns and the periods of
 * the samples both include the time in which the host does not run the virtual CPU.
 */
static void burn(void (*function)(u64 cycles), u64 cycles)
{
	u64 begin = ktime_get_mono_fast_ns();

	function(cycles);
	burn_spent_ns = ktime_get_mono_fast_ns() - begin;
}

static void burn_softirq(struct tasklet_struct *tasklet)
{
	burn(tprof_lx_burn_softirq, burn_cycles);
	complete(&burnt);
}

static DECLARE_TASKLET(burn_tasklet, burn_softirq);

static enum hrtimer_restart burn_hardirq(struct hrtimer *timer)
{
	burn(tprof_lx_burn_hardirq, burn_cycles);
	complete(&burnt);
	return HRTIMER_NORESTART;
}

static struct hrtimer burn_timer;

static int burn_in(u32 context)
{
	switch (context) {
	case TPROF_LX_BURN_TASK:
		burn(tprof_lx_burn_task, burn_cycles);
		return 0;
	case TPROF_LX_BURN_IRQS_OFF:
		local_irq_disable();
		burn(tprof_lx_burn_irqs_off, burn_cycles);
		local_irq_enable();
		return 0;
	case TPROF_LX_BURN_SOFTIRQ:
		tasklet_schedule(&burn_tasklet);
		break;
	case TPROF_LX_BURN_HARDIRQ:
		hrtimer_start(&burn_timer, 0, HRTIMER_MODE_REL_PINNED_HARD);
		break;
	default:
		return -EINVAL;
	}
	wait_for_completion(&burnt);
	return 0;
}

static long ioctl_burn(void __user *argp)
{
	struct tprof_lx_burn arg;
	int err;

	if (copy_from_user(&arg, argp, sizeof(arg)))
		return -EFAULT;
	if (arg.usecs > TPROF_LX_BURN_MAX_USECS)
		return -EINVAL;

	mutex_lock(&burn_lock);
	burn_cycles = div_u64((u64)arg.usecs * tsc_khz, USEC_PER_MSEC);
	err = burn_in(arg.context);
	arg.spent_ns = burn_spent_ns;
	mutex_unlock(&burn_lock);

	if (!err && copy_to_user(argp, &arg, sizeof(arg)))
		err = -EFAULT;
	return err;
}

static long ioctl_nmi(unsigned long cpu)
{
	if (cpu >= nr_cpu_ids || !cpu_online(cpu))
		return -EINVAL;
	apic->send_IPI(cpu, NMI_VECTOR);
	return 0;
}

static void read_lvtpc(void *lvtpc)
{
	*(u32 *)lvtpc = apic->read(APIC_LVTPC);
}

static long ioctl_lvtpc(unsigned long cpu)
{
	u32 lvtpc;
	int err;

	if (cpu >= nr_cpu_ids)
		return -EINVAL;
	err = smp_call_function_single(cpu, read_lvtpc, &lvtpc, true);
	return err ? err : lvtpc & (APIC_LVT_MASKED | APIC_DM_FIXED_MASK |
				    APIC_VECTOR_MASK);
}

/* CPU to which ioctl_stall() sends an NMI, or -1. */
static int stall_cpu = -1;
/* CPU that is in this NMI, or -1. */
static int stalled_cpu = -1;
/* Time that the NMI takes, in TSC cycles. */
static u64 stall_cycles;

/*
 * The handler cannot distinguish the NMI of ioctl_stall() from other NMIs of
 * @stall_cpu, so no other NMI may be pending there.
 */
static int stall_nmi(unsigned int type, struct pt_regs *regs)
{
	/* Pairs with the release in ioctl_stall(). */
	if (smp_load_acquire(&stall_cpu) != raw_smp_processor_id())
		return NMI_DONE;
	WRITE_ONCE(stalled_cpu, raw_smp_processor_id());
	spin(stall_cycles);
	WRITE_ONCE(stalled_cpu, -1);
	WRITE_ONCE(stall_cpu, -1);
	return NMI_HANDLED;
}

static long ioctl_stall(unsigned long msecs)
{
	int cpu;

	if (msecs > TPROF_LX_BURN_MAX_STALL_MSECS)
		return -EINVAL;
	mutex_lock(&burn_lock);
	cpu = get_cpu();
	stall_cycles = (u64)msecs * tsc_khz;
	/* Pairs with the acquire in stall_nmi(). */
	smp_store_release(&stall_cpu, cpu);
	apic->send_IPI(cpu, NMI_VECTOR);
	while (READ_ONCE(stall_cpu) >= 0)
		cpu_relax();
	put_cpu();
	mutex_unlock(&burn_lock);
	return 0;
}

static long ioctl_stalled(void)
{
	int cpu = READ_ONCE(stalled_cpu);

	return cpu < 0 ? -ENOENT : cpu;
}

static long burn_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	switch (cmd) {
	case TPROF_LX_BURN_IOC_BURN:
		return ioctl_burn((void __user *)arg);
	case TPROF_LX_BURN_IOC_NMI:
		return ioctl_nmi(arg);
	case TPROF_LX_BURN_IOC_LVTPC:
		return ioctl_lvtpc(arg);
	case TPROF_LX_BURN_IOC_STALL:
		return ioctl_stall(arg);
	case TPROF_LX_BURN_IOC_STALLED:
		return ioctl_stalled();
	}
	return -ENOTTY;
}

static const struct file_operations burn_fops = {
	.owner		= THIS_MODULE,
	.open		= nonseekable_open,
	.unlocked_ioctl	= burn_ioctl,
};

static struct miscdevice burn_device = {
	.minor	= MISC_DYNAMIC_MINOR,
	.name	= "tprof-lx-burn",
	.fops	= &burn_fops,
	.mode	= 0600,
};

static int __init burn_init(void)
{
	int err;

	hrtimer_setup(&burn_timer, burn_hardirq, CLOCK_MONOTONIC,
		      HRTIMER_MODE_REL_PINNED_HARD);
	err = register_nmi_handler(NMI_LOCAL, stall_nmi, 0, "tprof-lx-burn");
	if (err)
		return err;
	err = misc_register(&burn_device);
	if (err)
		unregister_nmi_handler(NMI_LOCAL, "tprof-lx-burn");
	return err;
}
module_init(burn_init);

static void __exit burn_exit(void)
{
	misc_deregister(&burn_device);
	unregister_nmi_handler(NMI_LOCAL, "tprof-lx-burn");
	hrtimer_cancel(&burn_timer);
	tasklet_kill(&burn_tasklet);
}
module_exit(burn_exit);

MODULE_DESCRIPTION("tprof-lx selftests: spend time in known places");
MODULE_LICENSE("GPL");
