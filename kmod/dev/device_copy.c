// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - copying structs of ioctls in and out
 *
 * A struct begins with its size in the caller's version, so that later versions
 * may be larger.
 *
 * Context: process, may sleep.
 */
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/uaccess.h>

#include "dev/device_copy.h"

/**
 * tprof_device_copy_in - copy in a struct that begins with its size
 * @arg:	result; its size is set to the caller's, for
 *		tprof_device_copy_out()
 * @bytes:	size of the struct in this module
 * @bytes_min:	size of the first version
 * @from:	struct of the caller
 *
 * Return: 0, -EFAULT, -EINVAL when it is too small, or -E2BIG when it sets a
 * field that this module does not know.
 */
int tprof_device_copy_in(void *arg, size_t bytes, size_t bytes_min,
			 const void __user *from)
{
	u32 size;
	int err;

	if (get_user(size, (const u32 __user *)from))
		return -EFAULT;
	if (size < bytes_min)
		return -EINVAL;
	if (size > PAGE_SIZE)
		return -E2BIG;
	err = copy_struct_from_user(arg, bytes, from, size);
	/* The caller may have changed it between the two reads. */
	*(u32 *)arg = size;
	return err;
}

/**
 * tprof_device_copy_out - copy a struct to its caller
 * @to:	struct of the caller
 * @arg:	struct that tprof_device_copy_in() filled
 * @bytes:	size of the struct in this module
 *
 * Return: 0 or -EFAULT.
 */
int tprof_device_copy_out(void __user *to, const void *arg, size_t bytes)
{
	u32 size = *(const u32 *)arg;

	return copy_to_user(to, arg, min_t(size_t, size, bytes)) ? -EFAULT : 0;
}

/**
 * tprof_device_copy_list - copy as many entries as the caller has room for
 * @array:	array of the caller, possibly none
 * @list:	entries
 * @bytes:	size of an entry in this module
 * @nr:		number of entries
 *
 * If the caller's entries are larger, the rest is zeroed.
 *
 * Return: 0, -EFAULT, or -EINVAL when the caller's entries are too small or
 * absurdly large.
 */
int tprof_device_copy_list(const struct tprof_device_array *array,
			   const void *list, size_t bytes, u32 nr)
{
	size_t common = min_t(size_t, array->stride, bytes);
	void __user *to = u64_to_user_ptr(array->to);
	u32 i;

	if (!array->to)
		return 0;
	if (array->stride < array->stride_min || array->stride > PAGE_SIZE)
		return -EINVAL;
	nr = min(nr, array->room);
	for (i = 0; i < nr; i++, to += array->stride, list += bytes) {
		if (copy_to_user(to, list, common) ||
		    clear_user(to + common, array->stride - common))
			return -EFAULT;
	}
	return 0;
}
