/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - names of threads, as the records tell them
 */
#ifndef TPROF_TASKS_H
#define TPROF_TASKS_H

#include "record_types.h"

#define TASK_NAME_LEN	16

/**
 * struct task_set - threads and their names; all zero is an empty set
 * @root:	tree of them, see tsearch(3)
 */
struct task_set {
	void	*root;
};

void tasks_update(struct task_set *tasks, u32 type, const struct task_record *record);
const char *tasks_name(const struct task_set *tasks, u32 tid, char name[TASK_NAME_LEN]);
void tasks_free(struct task_set *tasks);

#endif /* TPROF_TASKS_H */
