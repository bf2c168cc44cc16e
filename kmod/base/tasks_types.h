/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - a set of processes and threads: the struct
 */
#ifndef TPROF_TASKS_TYPES_H
#define TPROF_TASKS_TYPES_H

#include <linux/types.h>

struct tprof_tasks;

/**
 * struct tprof_meeting - whether a set meets the one that it was last compared with
 * @with:	that set
 * @round:	number of the round in which they were compared
 * @do_meet:	a task is in both
 */
struct tprof_meeting {
	const struct tprof_tasks	*with;
	u64				round;
	bool				do_meet;
};

/**
 * struct tprof_tasks - a set of processes and threads
 * @pids:	bitmap of the ids of processes; all their threads are in the set
 * @tids:	bitmap of the ids of single threads
 * @hosts:	bitmap of the ids of processes that have or had a thread in @tids
 * @meeting:	see meeting.h; under the x86 lock
 */
struct tprof_tasks {
	unsigned long		*pids;
	unsigned long		*tids;
	unsigned long		*hosts;
	struct tprof_meeting	meeting;
};

/* tasks.c; the unit test of x86_rows.c has its own. */
bool tprof_tasks_meet(const struct tprof_tasks *a, const struct tprof_tasks *b);

#endif /* TPROF_TASKS_TYPES_H */
