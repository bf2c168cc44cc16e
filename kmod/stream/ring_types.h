/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the kernel's types and functions that the ring uses
 *
 * In user space, unit tests provide substitutes (selftests/unit/kernel.h).
 */
#ifndef TPROF_RING_TYPES_H
#define TPROF_RING_TYPES_H

#ifdef __KERNEL__
#include <asm/barrier.h>
#include <asm/local.h>
#include <linux/cache.h>
#include <linux/compiler.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/types.h>
#else
#include "kernel.h"
#endif

#endif /* TPROF_RING_TYPES_H */
