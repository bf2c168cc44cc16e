/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - give the module the unwind tables of mapped binaries, in two threads
 *
 * The threads make the tables of all binaries, or take them from the cache
 * (unwind/table_cache.h). One of them makes the tables of small binaries only. The files that
 * a command will probably map at its start (live/needed.h) have their turn before the command
 * starts, which waits for them, but at most 2 s. At the end of the recording, the tables that
 * are being made may take another second, so that the cache has them for the next recording.
 */
#ifndef TPROF_TABLE_MAKER_H
#define TPROF_TABLE_MAKER_H

#include <pthread.h>
#include <stdatomic.h>

#include "session/table_queue.h"
#include "session/table_store.h"
#include "unwind/table_cache.h"

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

struct table_maker;

/**
 * struct table_worker - a thread
 * @maker:	what it works for
 * @thread:	the thread
 * @largest:	it makes the tables of binaries of at most so many bytes
 * @cache:	tables in the user's cache
 * @has_cache:	@cache is open
 */
struct table_worker {
	struct table_maker *maker;
	pthread_t thread;
	u64	largest;
	struct table_cache cache;
	bool	has_cache;
};

/* One thread for small binaries only, so that these do not wait for large ones. */
#define TABLE_WORKERS	2

/**
 * struct table_maker - the threads
 * @device:	file descriptor of the session
 * @command:	the command whose files come first, or NULL
 * @settle:	called by each thread first
 * @store:	learns what became of each binary, as the module does; or NULL
 * @workers:	the threads
 * @nr_workers:	number of @workers that were started; 0 if no tables are made
 * @is_unwanted: the tables that are being made are not needed any more
 * @lock:	protects all that follows
 * @changed:	a job or the end has come, or one of the flags below was set
 * @served:	build-ids that have had their turn
 * @nr_early:	number of early jobs that have not been done
 * @has_command: the files of @command have had their turn
 * @nr_busy:	number of threads that serve a job
 * @is_ending:	the recording ends
 * @nr_ended:	number of threads that take no more jobs
 * @has_ended:	no thread takes any more jobs
 * @queue:	binaries that wait
 * @counts:	what became of the binaries
 */
struct table_maker {
	int	device;
	const char *command;
	int	(*settle)(void);
	struct table_store *store;
	struct table_worker workers[TABLE_WORKERS];
	u32	nr_workers;
	atomic_bool is_unwanted;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	void	*served;
	u32	nr_early;
	bool	has_command;
	u32	nr_busy;
	bool	is_ending;
	u32	nr_ended;
	bool	has_ended;
	struct table_queue queue;
	struct table_counts counts;
};

int table_maker_begin(struct table_maker *maker, int device, const char *command,
		      struct table_store *store, int (*settle)(void));
void table_maker_add(struct table_maker *maker, int fd, const struct build_id *id);
bool table_maker_is_idle(struct table_maker *maker);
void table_maker_end(struct table_maker *maker);

#endif /* TPROF_TABLE_MAKER_H */
