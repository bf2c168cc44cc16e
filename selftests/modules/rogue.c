// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - a module that programs counters which it has not reserved
 */
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/reboot.h>
#include <linux/smp.h>
#include <linux/uaccess.h>

#include <asm/msr.h>
#include <asm/perf_event.h>

#include "tprof_lx_rogue.h"

/**
 * struct access - an access to a register of a CPU
 * @rogue:	argument of the ioctl
 * @is_write:	write it
 * @err:	result: 0 or -EIO
 */
struct access {
	struct tprof_lx_rogue	rogue;
	bool			is_write;
	int			err;
};

static bool is_of_counters(u32 msr)
{
	static const u32 ranges[][2] = {
		{ 0xc1, 0xc8 }, { 0x186, 0x18d }, { 0x309, 0x318 }, { 0x38d, 0x390 },
		{ 0x3f1, 0x3f1 }, { 0x4c1, 0x4c8 }, { 0x1900, 0x19ff },
		{ 0xc0000300, 0xc0000303 }, { 0xc0010000, 0xc0010007 }, { 0xc0010200, 0xc001020b },
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(ranges); i++) {
		if (msr >= ranges[i][0] && msr <= ranges[i][1])
			return true;
	}
	return false;
}

static void call_access(void *data)
{
	struct access *access = data;

	if (access->is_write)
		access->err = wrmsrq_safe(access->rogue.msr, access->rogue.value);
	else
		access->err = rdmsrq_safe(access->rogue.msr, &access->rogue.value);
}

static long rogue_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct access access = { .is_write = cmd == TPROF_LX_ROGUE_IOC_WRITE };
	void __user *user = (void __user *)arg;

	if (copy_from_user(&access.rogue, user, sizeof(access.rogue)))
		return -EFAULT;
	if (cmd != TPROF_LX_ROGUE_IOC_WRITE && cmd != TPROF_LX_ROGUE_IOC_READ)
		return -ENOTTY;
	if (!is_of_counters(access.rogue.msr))
		return -EINVAL;
	if (smp_call_function_single(access.rogue.cpu, call_access, &access, 1))
		return -ENXIO;
	if (access.err)
		return -EIO;
	return copy_to_user(user, &access.rogue, sizeof(access.rogue)) ? -EFAULT : 0;
}

static const struct file_operations rogue_fops = {
	.owner		= THIS_MODULE,
	.open		= nonseekable_open,
	.unlocked_ioctl	= rogue_ioctl,
};

static struct miscdevice rogue_device = {
	.minor	= MISC_DYNAMIC_MINOR,
	.name	= "tprof-lx-rogue",
	.fops	= &rogue_fops,
	.mode	= 0600,
};

/* Print what the control registers of each CPU enable at the end of a reboot. */
static void call_report(void *data)
{
	u64 global = 0, fixed = 0, select, enabled = 0;
	int i;

	rdmsrq_safe(MSR_CORE_PERF_GLOBAL_CTRL, &global);
	rdmsrq_safe(MSR_CORE_PERF_FIXED_CTR_CTRL, &fixed);
	for (i = 0; i < 4; i++) {
		if (!rdmsrq_safe(MSR_ARCH_PERFMON_EVENTSEL0 + i, &select) &&
		    select & ARCH_PERFMON_EVENTSEL_ENABLE)
			enabled |= BIT_ULL(i);
	}
	pr_info("at reboot, CPU %d enables general counters %#llx and fixed ones %#llx\n",
		smp_processor_id(), enabled & global, fixed);
}

static int rogue_reboot(struct notifier_block *block, unsigned long action, void *data)
{
	on_each_cpu(call_report, NULL, 1);
	return NOTIFY_OK;
}

/* The lowest priority: after the notifier of tprof-lx. */
static struct notifier_block reboot_block = {
	.notifier_call	= rogue_reboot,
	.priority	= INT_MIN,
};

static int __init rogue_init(void)
{
	int err;

	err = register_reboot_notifier(&reboot_block);
	if (err)
		return err;
	err = misc_register(&rogue_device);
	if (err)
		unregister_reboot_notifier(&reboot_block);
	return err;
}
module_init(rogue_init);

static void __exit rogue_exit(void)
{
	misc_deregister(&rogue_device);
	unregister_reboot_notifier(&reboot_block);
}
module_exit(rogue_exit);

MODULE_DESCRIPTION("tprof-lx selftests: use counters without a reservation");
MODULE_LICENSE("GPL");
