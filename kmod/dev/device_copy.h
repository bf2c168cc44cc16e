/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - copy the structs of ioctls from and to user space
 *
 * Context: process, may sleep.
 */
#ifndef TPROF_DEVICE_COPY_H
#define TPROF_DEVICE_COPY_H

#include <linux/cpumask.h>
#include <linux/types.h>

/**
 * struct tprof_device_array - an array of a caller, to be filled
 * @to:	address of the array, or 0 for none
 * @room:	capacity, in entries
 * @stride:	size of an entry in the caller's version
 * @stride_min:	size of the first version of an entry
 */
struct tprof_device_array {
	u64	to;
	u32	room;
	u32	stride;
	u32	stride_min;
};

/* Return true if @cpu is a possible CPU. It may be any number from user space. */
static inline bool tprof_device_is_cpu(u32 cpu)
{
	return cpu < nr_cpu_ids && cpu_possible(cpu);
}

int tprof_device_copy_in(void *arg, size_t bytes, size_t bytes_min,
			 const void __user *from);
int tprof_device_copy_out(void __user *to, const void *arg, size_t bytes);
int tprof_device_copy_list(const struct tprof_device_array *array,
			   const void *list, size_t bytes, u32 nr);

#endif /* TPROF_DEVICE_COPY_H */
