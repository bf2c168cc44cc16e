/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - open the binaries that are mapped, in a thread
 *
 * Binaries that are found only below /proc/PID/root are kept open until the end, when
 * record_embed.c adds the functions that were sampled in them to the file, as their mount
 * namespace may be gone when `report` runs. Binaries for which there was no room or no time
 * are counted, as `unopened` in the ledger.
 */
#ifndef TPROF_OPENER_H
#define TPROF_OPENER_H

#include <pthread.h>

#include "session/table_maker.h"
#include "symbols/kept_files.h"

/* Maximum number of binaries that wait to be opened. */
#define OPENER_JOBS	8192

/**
 * struct opener_job - a binary that waits to be opened
 * @next:	next job
 * @pid:	a process that has mapped it
 * @id:		its build-id
 * @name:	its path in the mount namespace of the process
 */
struct opener_job {
	struct opener_job *next;
	s32	pid;
	struct build_id id;
	char	name[];
};

/**
 * struct opener - the thread
 * @settle:	called by the thread first
 * @tables:	gets the binaries, under @lock; NULL if the thread is left alone
 * @thread:	the thread
 * @kept:	binaries whose path leads elsewhere outside of their mount namespace; accessed by
 *		the thread only, until it has ended
 * @lock:	protects all that follows
 * @changed:	a job has come, or one of the flags below was set
 * @is_ending:	the recording ends
 * @has_ended:	the thread has ended
 * @first:	the next job, or NULL
 * @last:	where the job after the last one belongs
 * @nr:		number of jobs
 * @is_busy:	the thread serves a job
 * @nr_unopened: number of binaries that were not put in, as there was no room
 */
struct opener {
	int	(*settle)(void);
	struct table_maker *tables;
	pthread_t thread;
	struct kept_files kept;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool	is_ending;
	bool	has_ended;
	struct opener_job *first;
	struct opener_job **last;
	u32	nr;
	bool	is_busy;
	u32	nr_unopened;
};

int opener_begin(struct opener **opener, struct table_maker *tables, int (*settle)(void));
void opener_add(struct opener *opener, s32 pid, const char *name, const struct build_id *id);
bool opener_is_idle(struct opener *opener);
u32 opener_end(struct opener **opener, struct kept_files *kept);

#endif /* TPROF_OPENER_H */
