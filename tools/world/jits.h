/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - functions that processes made themselves, as of now
 *
 * What the files of compilers tell (jit_dump.h) is taken in as the times of
 * records go on. It is kept beside the mappings of a process, as it lies within
 * them: their protection changes with every function that is made, and each time
 * the mapping is told anew.
 */
#ifndef TPROF_JITS_H
#define TPROF_JITS_H

#include "world/spaces.h"

/**
 * struct jit_feed - a file, and how far it was taken in
 * @object:	the file
 * @pid:	whose functions they are
 * @next:	number of the load that comes next
 */
struct jit_feed {
	struct object *object;
	u32	pid;
	size_t	next;
};

/**
 * struct jits - all of them; all zero is none
 * @spaces:	where functions are
 * @feeds:	the files
 * @nr:		how many
 * @next_time:	when the next function comes
 * @nr_unused:	mappings of files that are not to be had, or by another clock
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

/* Before a record of that time is looked at. Return: 0 or -ENOMEM. */
static inline int jits_advance(struct jits *jits, u64 time)
{
	return jits->nr && time >= jits->next_time ? jits_take_in(jits, time) : 0;
}

#endif /* TPROF_JITS_H */
