/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - JIT-compiled functions, over time
 *
 * The loads in jitdump files (jit_dump.h) are applied in step with the times of
 * records. They are kept apart from the mappings of the process, because they lie
 * inside mappings that a JIT compiler changes with every function (mprotect), and
 * each change is recorded as a new mapping.
 */
#ifndef TPROF_JITS_H
#define TPROF_JITS_H

#include "world/spaces.h"

/**
 * struct jit_feed - a jitdump file and the position in it
 * @object:	the file
 * @pid:	process that the functions belong to
 * @next:	number of the next load
 */
struct jit_feed {
	struct object *object;
	u32	pid;
	size_t	next;
};

/**
 * struct jits - all JIT-compiled functions; zeroed is empty
 * @spaces:	functions by process and address
 * @feeds:	the jitdump files
 * @nr:		number of @feeds
 * @next_time:	time of the next load
 * @nr_unused:	mappings of jitdump files that are not readable, or that come with
 *		another clock
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

/* Apply all loads up to the record at @time, before it is processed. */
static inline int jits_advance(struct jits *jits, u64 time)
{
	return jits->nr && time >= jits->next_time ? jits_take_in(jits, time) : 0;
}

#endif /* TPROF_JITS_H */
