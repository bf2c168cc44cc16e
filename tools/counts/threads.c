// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx counts - counts by thread, in a row for each thread
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/printable.h"
#include "counts/threads.h"

static int compare(u64 a, u64 b)
{
	return (a > b) - (a < b);
}

/*
 * Order rows by thread. The id of a thread may be used again after its exit, so compare the
 * times of the starts, too.
 */
static int compare_threads(const void *left, const void *right)
{
	const struct thread_row *a = left, *b = right;
	int order = compare(a->kind, b->kind);

	order = order ? order : compare(a->thread.tid, b->thread.tid);
	return order ? order : compare(a->thread.started, b->thread.started);
}

static struct thread_row *append(struct thread_rows *rows, const struct thread_row *key)
{
	struct thread_row *all = array_grow(rows->rows, rows->nr, &rows->room, sizeof(*all));

	if (!all)
		return NULL;
	rows->rows = all;
	all[rows->nr] = *key;
	return &all[rows->nr++];
}

/* Add a count to the row of @key, which is among the first @nr_sorted rows or not there yet. */
static int add_count(struct thread_rows *rows, size_t nr_sorted, const struct thread_row *key,
		     u32 event, u64 value, u64 ran_ns)
{
	struct thread_row *row = NULL;

	if (nr_sorted)
		row = bsearch(key, rows->rows, nr_sorted, sizeof(*row), compare_threads);
	if (!row)
		row = append(rows, key);
	if (!row)
		return -ENOMEM;
	row->values[event] = value;
	row->ran_ns[event] = ran_ns;
	return 0;
}

static int add_threads(struct thread_rows *rows, size_t nr_sorted, u32 event,
		       const struct tprof_lx_threads *list)
{
	const struct tprof_lx_thread *threads = (const void *)(uintptr_t)list->threads;
	struct thread_row key = { .kind = ROW_THREAD };
	u32 i;
	int err = 0;

	for (i = 0; i < list->nr_threads && !err; i++) {
		key.thread = threads[i];
		err = add_count(rows, nr_sorted, &key, event, threads[i].value,
				threads[i].ran_ns);
	}
	return err;
}

/*
 * Add the counts of an event, a result of THREADS. A row of exited or unattributed counts is
 * added only if it has some.
 */
int thread_rows_add(struct thread_rows *rows, u32 event, const struct tprof_lx_threads *list)
{
	const struct thread_row exited = { .kind = ROW_EXITED, .nr = list->nr_gone };
	const struct thread_row unattributed = { .kind = ROW_UNATTRIBUTED };
	size_t nr_sorted = rows->nr;
	int err = add_threads(rows, nr_sorted, event, list);

	if (!err && list->nr_gone)
		err = add_count(rows, nr_sorted, &exited, event, list->gone, list->gone_ns);
	if (!err && list->unattributed)
		err = add_count(rows, nr_sorted, &unattributed, event, list->unattributed, 0);
	if (rows->rows)
		qsort(rows->rows, rows->nr, sizeof(*rows->rows), compare_threads);
	return err;
}

/*
 * Order rows by process, and the threads of a process by their starts. The first thread of a
 * process starts it.
 */
static int compare_processes(const void *left, const void *right)
{
	const struct thread_row *a = left, *b = right;
	int order = compare(a->kind, b->kind);

	order = order ? order : compare(a->thread.pid, b->thread.pid);
	order = order ? order : compare(a->thread.started, b->thread.started);
	order = order ? order : compare(a->thread.tid != a->thread.pid,
					b->thread.tid != b->thread.pid);
	return order ? order : compare(a->thread.tid, b->thread.tid);
}

/* Return true if @row is of a further thread of @process. The id may be used again. */
static bool is_of_process(const struct thread_row *row, const struct thread_row *process)
{
	return row->kind == ROW_THREAD && process->kind == ROW_THREAD &&
	       row->thread.pid == process->thread.pid && row->thread.tid != row->thread.pid;
}

static void add_to_process(struct thread_row *process, const struct thread_row *row)
{
	u32 event;

	for (event = 0; event < TPROF_LX_MAX_EVENTS; event++) {
		process->values[event] += row->values[event];
		process->ran_ns[event] += row->ran_ns[event];
	}
	process->nr++;
	process->thread.flags &= row->thread.flags;
}

/* Let the threads of a process have one row, with the name of its first thread. */
void thread_rows_join(struct thread_rows *rows)
{
	struct thread_row *row = rows->rows, *process = NULL;
	size_t nr = rows->nr;

	if (row)
		qsort(row, nr, sizeof(*row), compare_processes);
	for (rows->nr = 0; nr; nr--, row++) {
		if (process && is_of_process(row, process)) {
			add_to_process(process, row);
			continue;
		}
		process = &rows->rows[rows->nr++];
		*process = *row;
		if (row->kind != ROW_THREAD)
			continue;
		process->thread.tid = process->thread.pid;
		process->nr = 1;
	}
}

static int compare_values(const void *left, const void *right, void *event)
{
	const struct thread_row *a = left, *b = right;
	u32 index = *(const u32 *)event;
	int order = compare(a->kind, b->kind);

	order = order ? order : compare(b->values[index], a->values[index]);
	return order ? order : compare_threads(left, right);
}

/* Sort the threads by their counts of @event, the highest first. No event can be added then. */
void thread_rows_sort(struct thread_rows *rows, u32 event)
{
	if (rows->nr)
		qsort_r(rows->rows, rows->nr, sizeof(*rows->rows), compare_values, &event);
}

/* Format the name of a row: "comm-tid", as perf prints it, or a name in brackets. */
const char *thread_row_name(const struct thread_row *row, char *buf, size_t len)
{
	switch (row->kind) {
	case ROW_THREAD:
		snprintf(buf, len, "%s-%d", printable(row->thread.comm), row->thread.tid);
		break;
	case ROW_EXITED:
		snprintf(buf, len, "[exited: %llu]", row->nr);
		break;
	case ROW_OTHERS:
		snprintf(buf, len, "[others: %llu]", row->nr);
		break;
	case ROW_UNATTRIBUTED:
		snprintf(buf, len, "[unattributed]");
		break;
	}
	return buf;
}

void thread_rows_free(struct thread_rows *rows)
{
	free(rows->rows);
	*rows = (struct thread_rows){ 0 };
}
