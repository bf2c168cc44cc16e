// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - binaries that wait for their unwind tables
 *
 * The time for a table grows with the size of the binary: the smallest binary is next, so that as
 * many tables as possible are there early.
 */
#include "session/table_queue.h"

/* Put a binary in. Return false if there is no room. */
bool table_queue_put(struct table_queue *queue, const struct table_job *job)
{
	if (queue->nr == TABLE_JOBS)
		return false;
	queue->jobs[queue->nr++] = *job;
	return true;
}

/* Take out the smallest binary. Return false if there is none of at most @largest bytes. */
bool table_queue_take(struct table_queue *queue, u64 largest, struct table_job *job)
{
	struct table_job *smallest = queue->jobs;
	u32 i;

	for (i = 1; i < queue->nr; i++) {
		if (queue->jobs[i].size < smallest->size)
			smallest = &queue->jobs[i];
	}
	if (!queue->nr || smallest->size > largest)
		return false;
	*job = *smallest;
	*smallest = queue->jobs[--queue->nr];
	return true;
}
