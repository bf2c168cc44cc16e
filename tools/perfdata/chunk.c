// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - pieces of a perf.data in memory
 */
#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "perfdata/chunk.h"

static struct chunk *make(struct chunk_pool *pool)
{
	struct chunk **all = array_grow(pool->all, pool->nr, &pool->room, sizeof(*all));
	struct chunk *chunk;

	if (!all)
		return NULL;
	pool->all = all;
	chunk = malloc(sizeof(*chunk));
	if (!chunk)
		return NULL;
	chunk->number = pool->nr;
	chunk->origins = NULL;
	chunk->origin_room = 0;
	all[pool->nr++] = chunk;
	return chunk;
}

/* Return an empty chunk, or NULL if out of memory. The caller has its only reference. */
struct chunk *chunk_alloc(struct chunk_pool *pool)
{
	struct chunk *chunk = pool->unused;

	if (chunk)
		pool->unused = chunk->next;
	else
		chunk = make(pool);
	if (!chunk)
		return NULL;
	chunk->users = 1;
	chunk->len = 0;
	chunk->offset = 0;
	chunk->nr_origins = 0;
	pool->nr_used++;
	return chunk;
}

/* Keep a chunk for reuse. Its last reference has been dropped. */
void chunk_release(struct chunk_pool *pool, struct chunk *chunk)
{
	chunk->next = pool->unused;
	pool->unused = chunk;
	pool->nr_used--;
}

/*
 * Remember that the records at @place and after it were decompressed from the record at
 * file offset @offset.
 */
int chunk_add_origin(struct chunk *chunk, u32 place, u64 offset)
{
	struct chunk_origin *origins = chunk->origins;

	if (chunk->nr_origins && origins[chunk->nr_origins - 1].offset == offset)
		return 0;
	origins = array_grow(origins, chunk->nr_origins, &chunk->origin_room, sizeof(*origins));
	if (!origins)
		return -ENOMEM;
	chunk->origins = origins;
	origins[chunk->nr_origins++] = (struct chunk_origin){ place, offset };
	return 0;
}

/*
 * Return the file offset of the record at @place. If it was decompressed, return the
 * file offset of the compressed record that contained it.
 */
u64 chunk_offset(const struct chunk *chunk, u32 place)
{
	size_t nr = chunk->nr_origins;

	if (!nr)
		return chunk->offset + place;
	while (nr > 1 && chunk->origins[nr - 1].place > place)
		nr--;
	return chunk->origins[nr - 1].offset;
}

/* Free all chunks. The caller has dropped every reference. */
void chunk_pool_free(struct chunk_pool *pool)
{
	size_t i;

	for (i = 0; i < pool->nr; i++) {
		free(pool->all[i]->origins);
		free(pool->all[i]);
	}
	free(pool->all);
	*pool = (struct chunk_pool){ 0 };
}
