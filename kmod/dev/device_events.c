// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the ioctls that list events
 *
 * Context: process.
 */
#include <linux/build_bug.h>
#include <linux/minmax.h>
#include <linux/slab.h>
#include <linux/tprof_lx.h>

#include "base/gfp.h"
#include "dev/device_copy.h"
#include "dev/ioctl.h"
#include "pmu/pmu.h"

/* Size of the first version of each struct; a smaller struct is refused. */
#define NAMES_BYTES_MIN		24
#define NAME_BYTES_MIN		192

static_assert(sizeof(struct tprof_lx_names) == 24);
static_assert(sizeof(struct tprof_lx_name) == 192);

static int copy_names(struct tprof_lx_names *arg)
{
	const struct tprof_device_array array = {
		.to = arg->names,
		.room = min_t(u32, arg->names ? arg->nr_names : 0, TPROF_LX_MAX_NAMES),
		.stride = arg->name_size,
		.stride_min = NAME_BYTES_MIN,
	};
	struct tprof_lx_name *list;
	int err;

	list = kvcalloc(array.room + 1, sizeof(*list), TPROF_GFP);
	if (!list)
		return -ENOMEM;
	arg->nr_names = tprof_pmu_list_names(list, array.room);
	err = tprof_device_copy_list(&array, list, sizeof(*list), arg->nr_names);
	kvfree(list);
	return err;
}

/**
 * tprof_device_names - serve TPROF_LX_IOC_NAMES
 * @user:	struct of the caller
 *
 * Return: 0 or -errno, as <linux/tprof_lx.h> lists them.
 */
long tprof_device_names(void __user *user)
{
	struct tprof_lx_names arg;
	int err;

	err = tprof_device_copy_in(&arg, sizeof(arg), NAMES_BYTES_MIN, user);
	if (err)
		return err;
	if (arg.flags)
		return -EINVAL;
	err = copy_names(&arg);
	return err ? err : tprof_device_copy_out(user, &arg, sizeof(arg));
}
