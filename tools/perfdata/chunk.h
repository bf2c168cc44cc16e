/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - pieces of a perf.data in memory
 *
 * A queued record refers to its chunk by number, not by pointer, and so takes only 16
 * bytes (queue.h). A chunk also has the file offsets of its records, for messages.
 */
#ifndef TPROF_CHUNK_H
#define TPROF_CHUNK_H

#include "base/types.h"

/*
 * A record has at most 64 KiB - 1 bytes, so at least four fit in a chunk. The offset
 * of a record in its chunk, called its place, has CHUNK_BITS bits.
 */
#define CHUNK_BITS	18
#define CHUNK_SIZE	(1U << CHUNK_BITS)

/**
 * struct chunk_origin - a compressed record whose contents are in a chunk
 * @place:	offset in the chunk of the first record decompressed from it
 * @offset:	offset of the compressed record in the file
 */
struct chunk_origin {
	u32	place;
	u64	offset;
};

/**
 * struct chunk - a piece of the input
 * @next:	next chunk in chunk_pool.unused
 * @number:	index in chunk_pool.all
 * @users:	number of references to the chunk; struct input holds one to the chunk
 *		that it fills
 * @len:	number of bytes in @data so far
 * @origins:	compressed records that @data comes from
 * @nr_origins:	number of @origins, 0 if @data was not compressed
 * @origin_room: capacity of @origins
 * @offset:	file offset of @data, if it was not compressed
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
 * struct chunk_pool - all chunks of a reader; empty if all members are zero
 * @all:	all chunks, indexed by number
 * @nr:		number of @all
 * @room:	capacity of @all
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
