// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - names of threads, from records
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "world/tasks.h"

/* TASK_COMM_LEN */
#define NAME_LEN	16

/**
 * struct task - a thread
 * @tid:	thread id
 * @name:	thread name
 * @recorded:	@name comes from a record
 */
struct task {
	u32	tid;
	const char *name;
	bool	recorded;
};

/* Set the name of a thread. If out of memory, return NULL and leave the name as it is. */
static struct task *set_name(struct task_set *tasks, u32 tid, const char *text, bool recorded)
{
	const char *name = interned_get(&tasks->names, text);
	struct task *task;

	if (!name)
		return NULL;
	task = hash_table_get(&tasks->table, tid, sizeof(*task));
	if (!task)
		return NULL;
	task->tid = tid;
	task->name = name;
	task->recorded = recorded;
	return task;
}

/*
 * Apply a record. COMM sets a name, FORK copies the name of the parent. EXIT changes
 * nothing: an exiting thread can still be sampled after its EXIT record.
 */
void tasks_update(struct task_set *tasks, u32 type, const struct task_record *record)
{
	const struct task *parent;

	if (type == PERF_RECORD_COMM) {
		set_name(tasks, record->tid, record->comm, true);
	} else if (type == PERF_RECORD_FORK) {
		parent = hash_table_find(&tasks->table, hash_number((u32)record->ptid), NULL, NULL);
		if (parent && parent->recorded)
			set_name(tasks, record->tid, parent->name, true);
	}
}

/* If no record has the name of a thread, name it ":TID", or "swapper" if TID is 0. */
static const struct task *make_name(struct task_set *tasks, u32 tid)
{
	char text[NAME_LEN];

	snprintf(text, sizeof(text), tid ? ":%d" : "swapper", (s32)tid);
	return set_name(tasks, tid, text, false);
}

/*
 * Return the name of a thread, from a record or else from make_name(). For equal names,
 * the pointer is the same.
 */
const char *tasks_name(struct task_set *tasks, u32 tid)
{
	const struct task **recent = &tasks->recent[tid % RECENT_TASKS], *task = *recent;

	if (!task || task->tid != tid)
		task = hash_table_find(&tasks->table, hash_number(tid), NULL, NULL);
	if (!task)
		task = make_name(tasks, tid);
	if (!task)
		return "?";
	*recent = task;
	return task->name;
}

void tasks_free(struct task_set *tasks)
{
	hash_table_free(&tasks->table, free);
	interned_free(&tasks->names);
	memset(tasks->recent, 0, sizeof(tasks->recent));
}
