/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx html - numbers of threads and their names
 */
#ifndef TPROF_HTML_THREADS_H
#define TPROF_HTML_THREADS_H

#include "base/arena.h"
#include "base/hash_table.h"
#include "base/types.h"

/**
 * struct thread - a thread of a host while it has a name and a cgroup
 * @pid:	the process
 * @tid:	the thread
 * @comm:	its name; equal names are the same pointer
 * @cgroup:	path of its cgroup; equal paths are the same pointer; NULL if it was not recorded
 * @host:	name of its host; equal names are the same pointer; NULL unless merge made the
 *		recording of several hosts
 * @number:	unique number, from 0
 */
struct thread {
	u32	pid;
	u32	tid;
	const char *comm;
	const char *cgroup;
	const char *host;
	u32	number;
};

/**
 * struct threads - all threads; empty if all members are zero
 * @table:	threads, by all members of struct thread but the number
 * @memory:	memory of the threads
 * @list:	threads, by number
 * @room:	capacity of @list
 */
struct threads {
	struct hash_table table;
	struct arena memory;
	struct thread **list;
	size_t	room;
};

const struct thread *threads_add(struct threads *threads, const struct thread *key);
bool threads_have_cgroups(const struct threads *threads);
bool threads_have_hosts(const struct threads *threads);
void threads_free(struct threads *threads);

#endif /* TPROF_HTML_THREADS_H */
