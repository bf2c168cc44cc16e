/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - names of threads, as the records tell them
 */
#ifndef TPROF_TASKS_H
#define TPROF_TASKS_H

#include "base/interned.h"
#include "perfdata/record_types.h"

struct task;

/**
 * struct task_set - threads and their names; all zero is an empty set
 * @table:	the threads, by id
 * @names:	all names
 * @last:	the one that was asked for last, for it is likely the next
 */
struct task_set {
	struct hash_table table;
	struct interned names;
	const struct task *last;
};

void tasks_update(struct task_set *tasks, u32 type, const struct task_record *record);
const char *tasks_name(struct task_set *tasks, u32 tid);
void tasks_free(struct task_set *tasks);

#endif /* TPROF_TASKS_H */
