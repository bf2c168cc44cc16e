/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx push - a directory of requests that are not sent yet
 *
 * A request is NUMBER.push, in the order of sending. It has this name when it is complete
 * and on disk, and is removed only after the server has taken it. NUMBER.refused is a
 * request that the server refused; it stays there for the user. The total size is bounded,
 * and one process at a time uses the directory.
 */
#ifndef TPROF_PUSH_SPOOL_H
#define TPROF_PUSH_SPOOL_H

#include <dirent.h>

#include "base/types.h"

/* Longest name of a request, with the terminating zero. */
#define SPOOL_NAME	32

/**
 * struct spool - the directory
 * @path:	its name
 * @dir:	the directory, which is locked
 * @max:	maximum size of all requests in bytes
 * @used:	size of all requests in bytes
 * @next:	number of the next request
 * @nr:		number of requests to send
 * @nr_refused:	number of requests that the server refused
 */
struct spool {
	const char *path;
	int	dir;
	u64	max;
	u64	used;
	u64	next;
	u64	nr;
	u64	nr_refused;
};

int spool_open(struct spool *spool, const char *path, u64 max);
void spool_close(struct spool *spool);
int spool_begin(const struct spool *spool);
int spool_add(struct spool *spool, int fd);
void spool_cancel(const struct spool *spool);
int spool_list(const struct spool *spool, struct dirent ***list);
int spool_remove(struct spool *spool, const char *name, int fd);
int spool_set_aside(struct spool *spool, const char *name, char aside[SPOOL_NAME]);

#endif /* TPROF_PUSH_SPOOL_H */
