// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx counts - rows of threads in a recording
 *
 * perf has the id and the name of each thread. The number that tprof-lx adds is the process, and
 * whether the thread has exited. Rows that are no thread have names in brackets, and the number is
 * that of their threads.
 */
#include <string.h>

#include "counts/thread_map.h"

#define HAS_EXITED	(1U << 31)

_Static_assert(TPROF_LX_NAME_LEN == STAT_COMM_BYTES, "names of threads are copied whole");

static const char *const names[] = {
	[ROW_EXITED] = "[exited]",
	[ROW_UNATTRIBUTED] = "[unattributed]",
	[ROW_OTHERS] = "[others]",
};

/* Make the entry of a row. */
void thread_map_put(struct stat_thread *entry, const struct thread_row *row)
{
	*entry = (struct stat_thread){ .tid = -1, .more = row->nr };
	if (row->kind != ROW_THREAD) {
		strncpy(entry->comm, names[row->kind], sizeof(entry->comm) - 1);
		return;
	}
	entry->tid = row->thread.tid;
	entry->more = row->thread.pid;
	if (row->thread.flags & TPROF_LX_THREAD_EXITED)
		entry->more |= HAS_EXITED;
	memcpy(entry->comm, row->thread.comm, sizeof(entry->comm) - 1);
}

/* Make the row of an entry. */
void thread_map_get(const struct stat_thread *entry, struct thread_row *row)
{
	size_t kind;

	*row = (struct thread_row){ .kind = ROW_THREAD };
	for (kind = ROW_EXITED; entry->tid < 0 && kind < ARRAY_SIZE(names); kind++) {
		if (strcmp(entry->comm, names[kind]))
			continue;
		row->kind = kind;
		row->nr = entry->more;
		return;
	}
	row->thread.tid = entry->tid;
	memcpy(row->thread.comm, entry->comm, sizeof(row->thread.comm) - 1);
	if (entry->tid < 0)
		return;
	row->thread.pid = entry->more & ~HAS_EXITED;
	if (entry->more & HAS_EXITED)
		row->thread.flags = TPROF_LX_THREAD_EXITED;
}
