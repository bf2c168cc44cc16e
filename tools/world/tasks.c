// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - names of threads, from records
 */
#include <errno.h>
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
 * @has_exited:	there was an EXIT record of the thread since its name was set
 */
struct task {
	u32	tid;
	const char *name;
	bool	recorded;
	bool	has_exited;
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
	task->has_exited = false;
	return task;
}

static struct task *find(const struct task_set *tasks, u32 tid)
{
	return hash_table_find(&tasks->table, hash_number(tid), NULL, NULL);
}

static void forget(struct task_set *tasks, u32 tid)
{
	const struct task **recent = &tasks->recent[tid % RECENT_TASKS];
	struct task *task = find(tasks, tid);

	/* Its id may belong to a new thread. */
	if (!task || !task->has_exited)
		return;
	if (*recent == task)
		*recent = NULL;
	hash_table_remove(&tasks->table, hash_number(tid), task);
	free(task);
}

/* Note that a thread has exited, and forget the one that exited GONE_TASKS threads before. */
static void note_exit(struct task_set *tasks, u32 tid)
{
	u32 *oldest = &tasks->gone[tasks->nr_gone % GONE_TASKS];
	struct task *task = find(tasks, tid);

	if (!task)
		return;
	task->has_exited = true;
	if (tasks->nr_gone++ >= GONE_TASKS)
		forget(tasks, *oldest);
	*oldest = tid;
}

/*
 * Apply a record. COMM sets a name, FORK copies the name of the parent. EXIT does not remove
 * the thread: it can still be sampled after its EXIT record.
 */
void tasks_update(struct task_set *tasks, u32 type, const struct task_record *record)
{
	const struct task *parent;

	if (type == PERF_RECORD_COMM) {
		set_name(tasks, record->tid, record->comm, true);
	} else if (type == PERF_RECORD_FORK) {
		parent = find(tasks, record->ptid);
		if (parent && parent->recorded)
			set_name(tasks, record->tid, parent->name, true);
	} else if (type == PERF_RECORD_EXIT && tasks->forgets) {
		note_exit(tasks, record->tid);
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
		task = find(tasks, tid);
	if (!task)
		task = make_name(tasks, tid);
	if (!task)
		return "?";
	*recent = task;
	return task->name;
}

/*
 * If there are more than @most different names, keep only those of the threads that are known.
 * The old copies of all names move to @old, which must be empty: the caller frees them when it
 * needs none of them any more. Return 0 or -ENOMEM.
 */
int tasks_renew_names(struct task_set *tasks, size_t most, struct interned *old)
{
	struct task *task;
	size_t at = 0;

	if (tasks->names.table.nr <= most)
		return 0;
	*old = tasks->names;
	tasks->names = (struct interned){ 0 };
	while ((task = hash_table_next(&tasks->table, &at))) {
		task->name = interned_get(&tasks->names, task->name);
		if (!task->name) {
			task->name = "?";
			return -ENOMEM;
		}
	}
	return 0;
}

void tasks_free(struct task_set *tasks)
{
	hash_table_free(&tasks->table, free);
	interned_free(&tasks->names);
	memset(tasks->recent, 0, sizeof(tasks->recent));
}
