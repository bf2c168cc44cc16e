/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - counts by thread, from READ records
 *
 * A READ record has what a thread has counted since its last one, so the records of a thread
 * are added up.
 */
#ifndef TPROF_THREAD_COUNTS_H
#define TPROF_THREAD_COUNTS_H

#include "profile/gather_filter.h"
#include "world/world.h"

/* Counts of further events are left out: they would make memory grow with their number. */
#define THREAD_COUNTS_EVENTS	32

/**
 * struct thread_count - the counts of a thread
 * @pid:	process id
 * @tid:	thread id
 * @comm:	name of the thread
 * @values:	counts, by index of the event
 */
struct thread_count {
	s32	pid;
	s32	tid;
	const char *comm;
	u64	values[THREAD_COUNTS_EVENTS];
};

/**
 * struct thread_counts - the counts of all threads; empty if all members are zero
 * @table:	struct thread_count, by process and thread id
 * @sorted:	all of them by process and thread id, after thread_counts_sort()
 * @events:	names of the events that have counts, by index; NULL for the others
 * @nr_left_out: number of records of further events
 */
struct thread_counts {
	struct hash_table table;
	struct thread_count **sorted;
	const char *events[THREAD_COUNTS_EVENTS];
	u64	nr_left_out;
};

int thread_counts_add(struct thread_counts *counts, struct world *world,
		      const struct gather_filter *filter, u32 event, const struct record *record);
int thread_counts_sort(struct thread_counts *counts);
void thread_counts_free(struct thread_counts *counts);

#endif /* TPROF_THREAD_COUNTS_H */
