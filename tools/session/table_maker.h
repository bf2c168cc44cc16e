/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - give the module the unwind tables of mapped binaries, in a thread
 */
#ifndef TPROF_TABLE_MAKER_H
#define TPROF_TABLE_MAKER_H

#include <pthread.h>
#include <stdatomic.h>

#include "unwind/table_cache.h"

/* Maximum number of binaries that wait. Each is an open file. */
#define TABLE_JOBS	4096

/**
 * struct table_job - a binary that waits for its table
 * @fd:		the binary, open
 * @id:		its build-id; empty before the thread has read that of the file
 */
struct table_job {
	int	fd;
	struct build_id id;
};

/**
 * struct table_counts - what became of the binaries
 * @given:	the module has their tables
 * @without:	they have no unwind information, or cannot be read
 * @refused:	the module refused their tables
 * @foreign:	they belong to another user, so their unwind information may be false
 * @late:	too many binaries waited, the recording ended, or it took too long
 */
struct table_counts {
	u32	given;
	u32	without;
	u32	refused;
	u32	foreign;
	u32	late;
};

/**
 * struct table_maker - the thread
 * @device:	file descriptor of the session
 * @command:	the command whose files come first, or NULL
 * @settle:	called by the thread first
 * @thread:	the thread
 * @is_running:	the thread was started
 * @cache:	tables in the user's cache; accessed by the thread only
 * @has_cache:	@cache is open
 * @served:	build-ids that have had their turn; accessed by the thread only
 * @is_unwanted: the table that is being made is not needed any more
 * @lock:	protects all that follows
 * @changed:	a job or the end has come, or one of the flags below was set
 * @has_command: the files of @command have had their turn
 * @is_ending:	the recording ends
 * @has_ended:	the thread takes no more jobs
 * @jobs:	binaries that wait; the last one is next, as it is probably running
 * @nr:		number of @jobs
 * @counts:	what became of the binaries
 */
struct table_maker {
	int	device;
	const char *command;
	int	(*settle)(void);
	pthread_t thread;
	bool	is_running;
	struct table_cache cache;
	bool	has_cache;
	void	*served;
	atomic_bool is_unwanted;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool	has_command;
	bool	is_ending;
	bool	has_ended;
	struct table_job jobs[TABLE_JOBS];
	u32	nr;
	struct table_counts counts;
};

int table_maker_begin(struct table_maker *maker, int device, const char *command,
		      int (*settle)(void));
void table_maker_add(struct table_maker *maker, int fd, const struct build_id *id);
void table_maker_end(struct table_maker *maker);

#endif /* TPROF_TABLE_MAKER_H */
