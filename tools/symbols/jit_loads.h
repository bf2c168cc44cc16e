/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - list the addresses of JIT-compiled functions, with times
 */
#ifndef TPROF_JIT_LOADS_H
#define TPROF_JIT_LOADS_H

#include <stddef.h>

#include "base/types.h"

/**
 * struct jit_load - the address of a function from @time on
 * @time:	time in ns of CLOCK_MONOTONIC
 * @start:	first address of the function
 * @len:	length of the function in bytes
 * @offset:	offset of its code in the jitdump file, same as its symbol.start
 */
struct jit_load {
	u64	time;
	u64	start;
	u64	len;
	u64	offset;
};

/**
 * struct jit_loads - all loads of a file, sorted by time
 * @list:	the loads
 * @nr:		number of loads
 * @room:	capacity of @list
 */
struct jit_loads {
	struct jit_load *list;
	size_t	nr;
	size_t	room;
};

int jit_loads_add(struct jit_loads *loads, const struct jit_load *load);
void jit_loads_sort(struct jit_loads *loads);
void jit_loads_free(struct jit_loads *loads);

#endif /* TPROF_JIT_LOADS_H */
