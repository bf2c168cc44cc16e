/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - addresses of JIT-compiled functions, with times
 */
#ifndef TPROF_JIT_LOADS_H
#define TPROF_JIT_LOADS_H

#include <stddef.h>

#include "base/types.h"

/**
 * struct jit_load - a function is at an address from @time on
 * @time:	CLOCK_MONOTONIC, in nanoseconds
 * @start:	first address of the function
 * @len:	its length
 * @offset:	file offset of its code, which is the symbol's address
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
 * @room:	allocated loads
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
