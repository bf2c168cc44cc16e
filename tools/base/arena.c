// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - memory that is allocated piece by piece and freed as a whole
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/huge_pages.h"

/*
 * Each block is twice as large as the one before, up to LARGEST_BLOCK. If a piece is
 * larger than that, its block has the size of the piece.
 */
#define FIRST_BLOCK	(4UL << 10)
#define LARGEST_BLOCK	(16UL << 20)

#define ALIGNMENT	8

static bool add_block(struct arena *arena, size_t bytes)
{
	size_t size = arena->size ? 2 * arena->size : FIRST_BLOCK;
	struct arena_block *block;

	size = size < LARGEST_BLOCK ? size : LARGEST_BLOCK;
	size = size > bytes ? size : bytes;
	block = huge_pages(calloc(1, sizeof(*block) + size), sizeof(*block) + size);
	if (!block)
		return false;
	block->before = arena->last;
	arena->last = block;
	arena->used = 0;
	arena->size = size;
	return true;
}

/* Return zeroed memory, which is valid until arena_free(). Return NULL if memory runs out. */
void *arena_get(struct arena *arena, size_t bytes)
{
	void *piece;

	bytes = ALIGN_UP(bytes, ALIGNMENT);
	if (arena->size - arena->used < bytes && !add_block(arena, bytes))
		return NULL;
	piece = arena->last->data + arena->used;
	arena->used += bytes;
	return piece;
}

/* Return a copy of @text, which is valid until arena_free(). Return NULL if memory runs out. */
char *arena_text(struct arena *arena, const char *text)
{
	size_t bytes = strlen(text) + 1;
	char *copy = arena_get(arena, bytes);

	return copy ? memcpy(copy, text, bytes) : NULL;
}

/* Free all pieces. */
void arena_free(struct arena *arena)
{
	struct arena_block *block, *before;

	for (block = arena->last; block; block = before) {
		before = block->before;
		free(block);
	}
	*arena = (struct arena){ 0 };
}
