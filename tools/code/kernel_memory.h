/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - read the memory of the running kernel from /proc/kcore
 *
 * The kernel patches its code at run time, so the code that runs differs from vmlinux.
 */
#ifndef TPROF_KERNEL_MEMORY_H
#define TPROF_KERNEL_MEMORY_H

#include "base/types.h"

#define KERNEL_MEMORY	"/proc/kcore"

int kernel_memory_open(const char *path);
int kernel_memory_read_fd(int fd, u64 addr, void *buf, size_t len);
int kernel_memory_read(const char *path, u64 addr, void *buf, size_t len);

#endif /* TPROF_KERNEL_MEMORY_H */
