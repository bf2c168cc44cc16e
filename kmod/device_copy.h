/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - structs of ioctls, between their callers and here
 *
 * Context: process, may sleep.
 */
#ifndef TPROF_DEVICE_COPY_H
#define TPROF_DEVICE_COPY_H

#include <linux/types.h>

int tprof_device_copy_in(void *arg, size_t bytes, size_t bytes_min,
			 const void __user *from);
int tprof_device_copy_out(void __user *to, const void *arg, size_t bytes);
int tprof_device_copy_list(void __user *to, u32 stride, const void *list,
			   size_t bytes, u32 nr);

#endif /* TPROF_DEVICE_COPY_H */
