/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - buffered reading of a perf.data, one record at a time
 *
 * A file is read sequentially, in chunks. A record is not copied out of its chunk: a
 * caller that keeps a record takes a reference to the chunk with chunk_get().
 */
#ifndef TPROF_INPUT_H
#define TPROF_INPUT_H

#include <linux/perf_event.h>
#include <sys/types.h>

#include "perfdata/chunk.h"

/**
 * struct input - a source of records
 * @pool:	the chunks to read into
 * @read:	reads more bytes, like read(2), but returns -errno on failure
 * @fd:		a file or a pipe
 * @left:	number of bytes that may still be read; ~0 for all up to the end
 * @offset:	file offset of the byte at @parsed
 * @current:	chunk that is being parsed, or NULL
 * @parsed:	number of bytes of @current that are parsed
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
 * struct input_record - a record within its chunk
 * @header:	a copy of its header
 * @data:	the record, header included
 * @offset:	its offset in the file
 * @chunk:	the chunk that @data points into
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

/* Mark the next @len bytes of the current chunk as parsed. */
static inline void input_take(struct input *input, size_t len)
{
	input->parsed += len;
	input->offset += len;
}

#endif /* TPROF_INPUT_H */
