/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - kernel definitions for the module's walk, which stack_walk.c compiles
 */
#ifndef TPROF_WALK_KERNEL_H
#define TPROF_WALK_KERNEL_H

#include <assert.h>

#include "base/types.h"

typedef __s16 s16;

#ifndef __always_inline
#define __always_inline		inline __attribute__((always_inline))
#endif
#define likely(x)		__builtin_expect(!!(x), 1)
#define unlikely(x)		__builtin_expect(!!(x), 0)
#define BIT(n)			(1UL << (n))
#define READ_ONCE(x)		__atomic_load_n(&(x), __ATOMIC_RELAXED)
#define array_index_nospec(index, size)	((index) < (size) ? (index) : 0)

#endif /* TPROF_WALK_KERNEL_H */
