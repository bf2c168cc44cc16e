/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the bytes of a perf.data, record by record
 *
 * A file is read front to back in chunks, and a record stays where it was
 * read: whoever wants to look at it later holds its chunk with chunk_get().
 */
#ifndef TPROF_INPUT_H
#define TPROF_INPUT_H

#include <linux/perf_event.h>
#include <sys/types.h>

#include "base/types.h"

/* Holds at least a few of the largest records. */
#define CHUNK_SIZE	(256U << 10)

/**
 * struct chunk - a piece of the input
 * @next:	in the list of unused ones
 * @users:	who still looks at it, the input itself included
 * @len:	bytes read
 * @data:	the bytes
 */
struct chunk {
	struct chunk *next;
	u32	users;
	size_t	len;
	u8	data[CHUNK_SIZE];
};

/**
 * struct chunk_pool - all chunks of a reader; all zero is none
 * @unused:	those without users
 * @nr_used:	how many have some
 */
struct chunk_pool {
	struct chunk *unused;
	size_t	nr_used;
};

/**
 * struct input - where records come from
 * @pool:	where its chunks are from
 * @read:	gets more bytes, as read(2) does, but returns -errno
 * @fd:		a file or a pipe
 * @left:	bytes that may still be read, ~0 for up to the end
 * @offset:	of @parsed from the beginning of the file
 * @current:	chunk that is being parsed, or NULL
 * @parsed:	how far
 */
struct input {
	struct chunk_pool *pool;
	ssize_t	(*read)(struct input *input, void *to, size_t room);
	int	fd;
	u64	left;
	u64	offset;
	struct chunk *current;
	size_t	parsed;
};

/**
 * struct input_record - a record, where it was read
 * @header:	a copy of its header
 * @data:	the record, header included
 * @offset:	of it in the file
 * @chunk:	which @data points into
 */
struct input_record {
	struct perf_event_header header;
	const u8 *data;
	u64	offset;
	struct chunk *chunk;
};

void input_init(struct input *input, struct chunk_pool *pool, int fd, u64 offset, u64 left);
int input_bytes(struct input *input, void *to, size_t len);
int input_next(struct input *input, struct input_record *record);
bool input_is_whole(const struct input *input);
int input_skip(struct input *input, u64 len);
void input_free(struct input *input);

static inline void chunk_get(struct chunk *chunk)
{
	chunk->users++;
}

void chunk_put(struct chunk_pool *pool, struct chunk *chunk);
void chunk_pool_free(struct chunk_pool *pool);

#endif /* TPROF_INPUT_H */
