// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - names of threads, as the records tell them
 */
#include <stdio.h>
#include <string.h>

#include "tasks.h"
#include "tree.h"

struct task {
	u32	tid;
	char	name[TASK_NAME_LEN];
};

static int compare(const void *a, const void *b)
{
	const struct task *x = a, *y = b;

	return x->tid < y->tid ? -1 : x->tid > y->tid;
}

static const struct task *find(const struct task_set *tasks, u32 tid)
{
	struct task key = { .tid = tid };

	return tree_find(&tasks->root, &key, compare);
}

/* Without memory for a name the thread goes without; nothing else suffers. */
static void set_name(struct task_set *tasks, u32 tid, const char *name)
{
	struct task key = { .tid = tid }, *task;
	bool is_new;

	task = tree_get(&tasks->root, &key, sizeof(key), compare, &is_new);
	if (task)
		snprintf(task->name, sizeof(task->name), "%s", name);
}

/**
 * tasks_update - take in what a record says
 * @tasks:	the set
 * @type:	PERF_RECORD_COMM, or FORK, which hands the name on; of EXIT
 *		nothing is learnt, for a thread runs on for a while after it
 * @record:	the record
 */
void tasks_update(struct task_set *tasks, u32 type, const struct task_record *record)
{
	const struct task *parent;
	char name[TASK_NAME_LEN];

	if (type == PERF_RECORD_COMM) {
		set_name(tasks, record->tid, record->comm);
	} else if (type == PERF_RECORD_FORK) {
		parent = find(tasks, record->ptid);
		if (!parent)
			return;
		memcpy(name, parent->name, sizeof(name));
		set_name(tasks, record->tid, name);
	}
}

/**
 * tasks_name - the name of a thread
 * @tasks:	the set
 * @tid:	the thread
 * @name:	room for the name
 *
 * Return: @name: as the records tell it, or made of the number if they do not.
 */
const char *tasks_name(const struct task_set *tasks, u32 tid, char name[TASK_NAME_LEN])
{
	const struct task *task = find(tasks, tid);

	if (task)
		memcpy(name, task->name, TASK_NAME_LEN);
	else if (!tid)
		strcpy(name, "swapper");
	else
		snprintf(name, TASK_NAME_LEN, ":%d", (s32)tid);
	return name;
}

/**
 * tasks_free - forget all
 * @tasks:	the set
 */
void tasks_free(struct task_set *tasks)
{
	tree_free(&tasks->root);
}
