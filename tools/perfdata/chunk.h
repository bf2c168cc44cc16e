/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - pieces of a perf.data in memory
 *
 * A chunk has a number, so that a waiting record takes 16 bytes (queue.h). It also
 * knows where its bytes come from, for messages.
 */
#ifndef TPROF_CHUNK_H
#define TPROF_CHUNK_H

#include "base/types.h"

/*
 * The largest record has 64 KiB - 1; a chunk holds a few of them. A place in a chunk
 * has CHUNK_BITS bits.
 */
#define CHUNK_BITS	18
#define CHUNK_SIZE	(1U << CHUNK_BITS)

/**
 * struct chunk_origin - where the records of a chunk come from
 * @place:	first byte in the chunk that comes from there
 * @offset:	offset in the file
 */
struct chunk_origin {
	u32	place;
	u64	offset;
};

/**
 * struct chunk - a piece of the input
 * @next:	next one in chunk_pool.unused
 * @number:	index in chunk_pool.all
 * @users:	references to it, including the input's own
 * @len:	bytes read
 * @origins:	compressed records that the bytes come from; NULL if not compressed
 * @nr_origins:	number of @origins
 * @origin_room: allocated @origins
 * @offset:	offset of the first byte in the file, if not compressed
 * @data:	the bytes
 */
struct chunk {
	struct chunk *next;
	u32	number;
	u32	users;
	size_t	len;
	struct chunk_origin *origins;
	size_t	nr_origins;
	size_t	origin_room;
	u64	offset;
	u8	data[CHUNK_SIZE];
};

/**
 * struct chunk_pool - all chunks of a reader; zero-initialised is empty
 * @all:	all chunks, by number
 * @nr:		number of @all
 * @room:	allocated @all
 * @unused:	chunks without references, kept for reuse
 * @nr_used:	number of chunks with references
 */
struct chunk_pool {
	struct chunk **all;
	size_t	nr;
	size_t	room;
	struct chunk *unused;
	size_t	nr_used;
};

struct chunk *chunk_alloc(struct chunk_pool *pool);
void chunk_release(struct chunk_pool *pool, struct chunk *chunk);
int chunk_add_origin(struct chunk *chunk, u32 place, u64 offset);
u64 chunk_offset(const struct chunk *chunk, u32 place);
void chunk_pool_free(struct chunk_pool *pool);

static inline void chunk_get(struct chunk *chunk)
{
	chunk->users++;
}

/* Drop a reference to a chunk. */
static inline void chunk_put(struct chunk_pool *pool, struct chunk *chunk)
{
	if (!--chunk->users)
		chunk_release(pool, chunk);
}

#endif /* TPROF_CHUNK_H */
