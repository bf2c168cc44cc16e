// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - copy the structs of ioctls from and to user space
 *
 * A struct begins with the size that the caller was compiled with, so that later
 * versions can be larger.
 *
 * Context: process, may sleep.
 */
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/uaccess.h>

#include "dev/device_copy.h"

/**
 * tprof_device_copy_in - copy in a struct that begins with its size
 * @arg:	result
 * @bytes:	size of the struct in this module
 * @bytes_min:	size of the first version of the struct
 * @from:	struct of the caller
 *
 * On return, the size field at the start of @arg holds the size of the caller's struct.
 * tprof_device_copy_out() uses it.
 *
 * Return: 0; -EFAULT; -EINVAL when the caller's struct is smaller than
 * @bytes_min; -E2BIG when it is larger than a page or sets a field that this
 * module does not know.
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
	/* The caller may have changed the size after get_user(): keep the checked one. */
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
 * tprof_device_copy_list - copy a list to the caller, as far as it fits
 * @array:	array of the caller; if its @to is 0, nothing is copied
 * @list:	entries to copy
 * @bytes:	size of an entry in this module
 * @nr:		number of entries
 *
 * If the caller's entries are larger than @bytes, the rest of each entry is zeroed.
 *
 * Return: 0; -EFAULT; -EINVAL when the caller's entries are smaller than in the
 * first version or larger than a page.
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
