/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx top - load the symbols of binaries in a thread
 *
 * resolver_find() never waits: while the symbols of a binary are not loaded, it returns no
 * function, and the thread loads them.
 */
#ifndef TPROF_RESOLVER_H
#define TPROF_RESOLVER_H

#include <pthread.h>

#include "top/feed.h"

/* The thread loads no more symbols when the process has this much memory. */
#define RESOLVER_MAX_BYTES	(1ULL << 30)

enum resolver_state {
	RESOLVER_UNKNOWN,
	RESOLVER_ASKED,
	RESOLVER_READY,
	RESOLVER_REFUSED,	/* for lack of memory */
};

/**
 * struct resolver - the thread, and the symbols
 * @objects:	sources of symbols, and the cache of functions. The thread uses the sources
 *		only to load; resolver_find() uses what is loaded.
 * @states:	enum resolver_state of each binary, by its number; the thread does not use it
 * @nr_asked:	number of binaries with RESOLVER_ASKED
 * @nr_refused:	number of binaries with RESOLVER_REFUSED
 * @has_kernel:	resolver_know_kernel() was called
 * @settle:	called by the thread first
 * @thread:	the thread
 * @loading:	held while @objects.sources are used to load, or to read code and source lines;
 *		outside of @lock
 * @lock:	protects all that follows
 * @changed:	a job or the end has come
 * @jobs:	binaries to load, as a ring
 * @first:	number of jobs that were taken
 * @last:	number of jobs that were added
 * @done:	binaries that are loaded, for resolver_note_done()
 * @refused:	the same, for binaries that were refused
 * @nr_done:	number of @done
 * @is_ending:	the thread must end
 * @has_ended:	the thread loads nothing more
 */
struct resolver {
	struct objects objects;
	u8	states[FEED_MAX_BINARIES];
	u32	nr_asked;
	u32	nr_refused;
	bool	has_kernel;
	int	(*settle)(void);
	pthread_t thread;
	pthread_mutex_t loading;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct object *jobs[FEED_MAX_BINARIES];
	u32	first;
	u32	last;
	struct object *done[FEED_MAX_BINARIES];
	bool	refused[FEED_MAX_BINARIES];
	u32	nr_done;
	bool	is_ending;
	bool	has_ended;
};

int resolver_begin(struct resolver **resolver, const struct symbol_options *options,
		   int (*settle)(void));
void resolver_know_kernel(struct resolver *resolver, const struct harvest *harvest);
void resolver_note_done(struct resolver *resolver);
int resolver_find(void *arg, struct spot *spot);
bool resolver_borrow(struct resolver *resolver);
void resolver_give_back(struct resolver *resolver);
bool resolver_end(struct resolver **resolver);

#endif /* TPROF_RESOLVER_H */
