/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - binaries that wait for their unwind tables
 */
#ifndef TPROF_TABLE_QUEUE_H
#define TPROF_TABLE_QUEUE_H

#include "perfdata/perfdata.h"

/* Maximum number of binaries that wait. Each is an open file. */
#define TABLE_JOBS	4096

/**
 * struct table_job - a binary that waits for its table
 * @fd:		the binary, open
 * @is_early:	the command will map it at its start, which waits for the table
 * @id:		its build-id; empty before a thread has read that of the file
 * @size:	size of the file
 */
struct table_job {
	int	fd;
	bool	is_early;
	struct build_id id;
	u64	size;
};

/**
 * struct table_queue - binaries that wait
 * @jobs:	the binaries
 * @nr:		number of @jobs
 */
struct table_queue {
	struct table_job jobs[TABLE_JOBS];
	u32	nr;
};

bool table_queue_put(struct table_queue *queue, const struct table_job *job);
bool table_queue_take(struct table_queue *queue, u64 largest, struct table_job *job);

#endif /* TPROF_TABLE_QUEUE_H */
