/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - memory that is allocated piece by piece and freed at once
 */
#ifndef TPROF_ARENA_H
#define TPROF_ARENA_H

#include "base/types.h"

/**
 * struct arena_block - memory for many pieces
 * @before:	the block before it, or NULL
 * @data:	the pieces, aligned to 8 bytes
 */
struct arena_block {
	struct arena_block *before;
	u8	data[];
};

/**
 * struct arena - all pieces; zero-initialised is empty
 * @last:	the current block, or NULL
 * @used:	bytes of its data in use
 * @size:	bytes of its data
 */
struct arena {
	struct arena_block *last;
	size_t	used;
	size_t	size;
};

void *arena_get(struct arena *arena, size_t bytes);
void arena_free(struct arena *arena);

#endif /* TPROF_ARENA_H */
