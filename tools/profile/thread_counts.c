// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - counts by thread, from READ records
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>

#include "base/load.h"
#include "profile/thread_counts.h"

#define PID_OFFSET	sizeof(struct perf_event_header)
#define TID_OFFSET	(PID_OFFSET + sizeof(u32))
#define VALUE_OFFSET	(TID_OFFSET + sizeof(u32))

/*
 * Add a READ record of event number @event if @filter takes its event and its thread. A record
 * of a group has several counts, which inherited events cannot have, and a record may be too
 * short: ignore both.
 */
int thread_counts_add(struct thread_counts *counts, struct world *world,
		      const struct gather_filter *filter, u32 event, const struct record *record)
{
	struct thread_count *count;
	u32 pid, tid;

	if (record->header.size < VALUE_OFFSET + sizeof(u64) ||
	    record->event->layout.attr.read_format & PERF_FORMAT_GROUP)
		return 0;
	pid = load_u32(record->data + PID_OFFSET);
	tid = load_u32(record->data + TID_OFFSET);
	if (!filter_takes_event(filter, record->event->name) ||
	    !filter_takes_thread(filter, pid, tid) ||
	    !filter_takes_name(filter, tasks_name(&world->tasks, tid)))
		return 0;
	if (event >= THREAD_COUNTS_EVENTS) {
		counts->nr_left_out++;
		return 0;
	}
	/* The reader may reallocate its events, so copy the name. */
	if (!counts->events[event])
		counts->events[event] = interned_get(&world->objects.sources.names,
						     record->event->name);
	count = hash_table_get(&counts->table, (u64)pid << 32 | tid, sizeof(*count));
	if (!count || !counts->events[event])
		return -ENOMEM;
	count->pid = pid;
	count->tid = tid;
	count->comm = tasks_name(&world->tasks, tid);
	count->values[event] += load_u64(record->data + VALUE_OFFSET);
	return 0;
}

static int compare_threads(const void *left, const void *right)
{
	const struct thread_count *a = *(struct thread_count *const *)left;
	const struct thread_count *b = *(struct thread_count *const *)right;

	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	return a->tid < b->tid ? -1 : a->tid > b->tid;
}

/* Fill @counts->sorted. */
int thread_counts_sort(struct thread_counts *counts)
{
	size_t at = 0, nr = 0;

	counts->sorted = calloc(counts->table.nr + 1, sizeof(*counts->sorted));
	if (!counts->sorted)
		return -ENOMEM;
	while (nr < counts->table.nr)
		counts->sorted[nr++] = hash_table_next(&counts->table, &at);
	qsort(counts->sorted, nr, sizeof(*counts->sorted), compare_threads);
	return 0;
}

void thread_counts_free(struct thread_counts *counts)
{
	hash_table_free(&counts->table, free);
	free(counts->sorted);
}
