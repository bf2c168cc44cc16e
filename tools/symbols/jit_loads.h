/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - when functions that a process made were put where
 */
#ifndef TPROF_JIT_LOADS_H
#define TPROF_JIT_LOADS_H

#include <stddef.h>

#include "base/types.h"

/**
 * struct jit_load - a function is somewhere from now on
 * @time:	CLOCK_MONOTONIC, in nanoseconds
 * @start:	where
 * @len:	its length
 * @offset:	where its code is in the file, by which it goes as a symbol
 */
struct jit_load {
	u64	time;
	u64	start;
	u64	len;
	u64	offset;
};

/**
 * struct jit_loads - all of a process, in the order of their times
 * @list:	the loads
 * @nr:		how many
 * @room:	how many fit
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
