// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - a module that programs counters which it has not reserved
 */
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/smp.h>
#include <linux/uaccess.h>

#include <asm/msr.h>

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

module_misc_device(rogue_device);

MODULE_DESCRIPTION("tprof-lx selftests: use counters without a reservation");
MODULE_LICENSE("GPL");
