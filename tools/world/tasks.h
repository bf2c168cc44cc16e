/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - names of threads, from records
 */
#ifndef TPROF_TASKS_H
#define TPROF_TASKS_H

#include "base/interned.h"
#include "perfdata/record_types.h"

struct task;

#define RECENT_TASKS	256
#define GONE_TASKS	4096

/**
 * struct task_set - threads and their names; empty if all members are zero
 * @table:	threads, by id
 * @names:	all names
 * @recent:	cache of threads, indexed by id % RECENT_TASKS
 * @forgets:	forget a thread when GONE_TASKS further threads have exited; else, never
 * @gone:	ids of threads that exited, as a ring; used with @forgets
 * @nr_gone:	number of ids that were added to @gone
 */
struct task_set {
	struct hash_table table;
	struct interned names;
	const struct task *recent[RECENT_TASKS];
	bool	forgets;
	u32	gone[GONE_TASKS];
	u64	nr_gone;
};

void tasks_update(struct task_set *tasks, u32 type, const struct task_record *record);
const char *tasks_name(struct task_set *tasks, u32 tid);
int tasks_renew_names(struct task_set *tasks, size_t most, struct interned *old);
void tasks_free(struct task_set *tasks);

#endif /* TPROF_TASKS_H */
