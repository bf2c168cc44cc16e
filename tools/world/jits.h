/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - find JIT-compiled functions by process, address and time
 *
 * A jitdump file (jit_dump.h) has a load for each function: a time, and the address of
 * the function from that time on. Before a record is processed, all loads up to the time
 * of the record are applied.
 *
 * Functions are kept separate from the mappings of the process, because a new
 * mapping would replace functions: a JIT compiler calls mprotect(2) for every
 * function, and each call is recorded as a new mapping.
 */
#ifndef TPROF_JITS_H
#define TPROF_JITS_H

#include "world/spaces.h"

/**
 * struct jit_feed - a jitdump file and the position in it
 * @object:	the file
 * @pid:	id of the process that the functions belong to
 * @next:	index of the next load to apply
 */
struct jit_feed {
	struct object *object;
	u32	pid;
	size_t	next;
};

/**
 * struct jits - all JIT-compiled functions; empty if all members are zero
 * @spaces:	functions by process and address
 * @feeds:	the jitdump files
 * @nr:		number of @feeds
 * @next_time:	time of the next load to apply
 * @nr_unused:	number of mappings of jitdump files that were left out, because the file
 *		cannot be used or its times are of another clock
 */
struct jits {
	struct spaces spaces;
	struct jit_feed *feeds;
	size_t	nr;
	u64	next_time;
	u64	nr_unused;
};

int jits_add(struct jits *jits, struct object *object, u32 pid);
void jits_forget(struct jits *jits, u32 pid);
int jits_take_in(struct jits *jits, u64 time);
const struct map *jits_find(struct jits *jits, u32 pid, u64 addr);
void jits_free(struct jits *jits);

/* Apply all loads up to @time. Call this before a record with this time is processed. */
static inline int jits_advance(struct jits *jits, u64 time)
{
	return jits->nr && time >= jits->next_time ? jits_take_in(jits, time) : 0;
}

#endif /* TPROF_JITS_H */
