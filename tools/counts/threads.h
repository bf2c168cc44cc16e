/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx counts - counts by thread, in a row for each thread
 *
 * The module lists the threads of one event at a time. A thread has the same row for all
 * events; after thread_rows_join(), the threads of a process have one together. Two more rows
 * have the counts that belong to no row of a thread, so that the sum of the rows is the count of
 * the event.
 */
#ifndef TPROF_THREADS_H
#define TPROF_THREADS_H

#include <linux/tprof_lx.h>

#include "base/types.h"

/* What a row has the counts of. */
enum thread_row_kind {
	ROW_THREAD,
	ROW_EXITED,		/* threads that have exited and are not listed */
	ROW_UNATTRIBUTED,	/* no thread: the module had no memory to note it */
	ROW_OTHERS,		/* threads for which a file had no room */
};

/**
 * struct thread_row - the counts of a thread, or of one of the other kinds
 * @kind:	what the row has the counts of
 * @thread:	the thread, if @kind is ROW_THREAD; its value and ran_ns are not used
 * @nr:		number of threads, if @kind is ROW_EXITED or ROW_OTHERS, or if the row is of a
 *		process
 * @values:	counts, by index of the event in struct counting
 * @ran_ns:	time in ns for which the thread ran, by the same index
 */
struct thread_row {
	enum thread_row_kind kind;
	struct tprof_lx_thread thread;
	u64	nr;
	u64	values[TPROF_LX_MAX_EVENTS];
	u64	ran_ns[TPROF_LX_MAX_EVENTS];
};

/**
 * struct thread_rows - the counts of several events by thread
 * @rows:	the rows
 * @nr:		number of @rows
 * @room:	capacity of @rows
 */
struct thread_rows {
	struct thread_row *rows;
	size_t	nr;
	size_t	room;
};

int thread_rows_add(struct thread_rows *rows, u32 event, const struct tprof_lx_threads *list);
void thread_rows_join(struct thread_rows *rows);
void thread_rows_sort(struct thread_rows *rows, u32 event);
const char *thread_row_name(const struct thread_row *row, char *buf, size_t len);
void thread_rows_free(struct thread_rows *rows);

#endif /* TPROF_THREADS_H */
